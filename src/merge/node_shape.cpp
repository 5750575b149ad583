// See shape.hpp.
#include "merge/node_shape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "base/hash.hpp"

namespace refrain::merge {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Value;

/// Calls that all ranks of a communicator make together, by name.
bool is_collective(std::string_view function) {
  constexpr std::array<std::string_view, 16> named{
      "MPI_Barrier",       "MPI_Bcast",         "MPI_Reduce",    "MPI_Allreduce",
      "MPI_Gather",        "MPI_Allgather",     "MPI_Scatter",   "MPI_Alltoall",
      "MPI_Scan",          "MPI_Exscan",        "MPI_File_open", "MPI_File_close",
      "MPI_File_set_view", "MPI_File_set_size", "H5Fcreate",     "H5Fclose"};
  constexpr std::array<std::string_view, 4> endings{"_all", "_all_begin", "_ordered", "_ordered_begin"};
  return std::find(named.begin(), named.end(), function) != named.end() ||
         std::any_of(endings.begin(), endings.end(), [&](auto end) { return function.ends_with(end); });
}

uint64_t bit_of(uint32_t signature) { return uint64_t{1} << (hash_combine(signature, 77) & 63); }

/// Calls `use(sibling)` for every node of its list that a node refers to.
template <class Use>
void for_siblings(const Node& node, Use use) {
  auto look_at = [&](const Value& v) {
    if (v.form == Form::copy) use(v.sibling);
    for (const trace::Alternative& a : v.alternatives)
      if (a.value.form == Form::copy) use(a.value.sibling);
  };
  look_at(node.count);
  for (const Value& v : node.parameters) look_at(v);
}

}  // namespace

void Shapes::extend() {
  for (size_t i = collective_.size(); i < signatures_.size(); ++i)
    collective_.push_back(is_collective(signatures_[i].function));
}

Shape Shapes::outline(const Node& node) const {
  Shape shape;
  shape.loop = node.kind == NodeKind::loop;
  if (node.kind == NodeKind::event) {
    shape.hash = shape.key = hash_combine(1, node.signature);
    shape.functions = bit_of(node.signature);
    shape.collective = collective_[node.signature] ? shape.functions : 0;
    shape.leaves = 1;
    return shape;
  }
  uint64_t hash = hash_combine(2, static_cast<uint64_t>(node.kind));
  for (const Node& child : node.body) {
    Shape inner = outline(child);
    hash = hash_combine(hash, inner.hash);
    shape.key = inner.key;
    shape.functions |= inner.functions;
    shape.collective |= inner.collective;
    shape.leaves += inner.leaves;
    shape.height = std::max(shape.height, inner.height + 1);
  }
  shape.hash = hash;
  if (!shape.loop || node.body.size() != 1) shape.key = hash;
  return shape;
}

std::vector<Shape> Shapes::of(const std::vector<Node>& list) const {
  std::vector<Shape> shapes;
  shapes.reserve(list.size());
  for (const Node& node : list) {
    Shape& shape = shapes.emplace_back(outline(node));
    if (!shape.loop || node.body.size() < 2) continue;
    shape.body.reserve(node.body.size());
    for (const Node& child : node.body) shape.body.push_back(key_of(child));
  }
  for (size_t i = 0; i < list.size(); ++i)
    for_siblings(list[i], [&](uint32_t sibling) {
      if (sibling == i) return;
      shapes[i].pinned = true;
      if (sibling < shapes.size()) shapes[sibling].pinned = true;
    });
  return shapes;
}

bool same_structure(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.body.size() != b.body.size()) return false;
  if (a.kind == NodeKind::event) return a.signature == b.signature;
  return same_structure(a.body, b.body);
}

bool same_structure(const std::vector<Node>& a, const std::vector<Node>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Node& x, const Node& y) { return same_structure(x, y); });
}

bool similar(const Shape& a, const Shape& b) {
  if (!a.loop || !b.loop) return false;
  if (a.collective & b.collective) return true;
  return std::popcount(a.functions & b.functions) * 2 >= std::popcount(a.functions | b.functions);
}

}  // namespace refrain::merge
