// Any bytes as the saved state of a folder: either refused, or a folder that goes on. The input is the
// state's length, the state, and events to add: a byte that selects the signature, a byte per parameter.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "fold/folder.hpp"
#include "format/node_code.hpp"
#include "trace/expand.hpp"

namespace {

using namespace refrain;

constexpr size_t most_events = 200;
constexpr size_t most_expanded = 2000;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// A state begins with its signatures: how many, and of each the number of parameters and the bracket.
std::vector<uint32_t> parameters_in(std::span<const uint8_t> state) {
  ByteReader in(state);
  std::vector<uint32_t> parameters(in.count(2, "signatures"));
  for (uint32_t& n : parameters) {
    n = static_cast<uint32_t>(in.varint());
    in.varint();
  }
  return parameters;
}

/// A signature, then its parameters.
using Event = std::vector<int64_t>;

std::vector<Event> feed(fold::Folder& folder, const std::vector<uint32_t>& parameters, ByteReader& in) {
  std::vector<Event> events;
  if (parameters.empty()) return events;
  std::vector<int64_t> values;
  for (size_t n = 0; n < most_events && in.left() > 0; ++n) {
    auto signature = static_cast<uint32_t>(in.u8() % parameters.size());
    values.assign(parameters[signature], 0);
    for (int64_t& v : values) v = in.left() > 0 ? static_cast<int64_t>(in.u8()) - 128 : 0;
    folder.event(signature, values.data(), {10, 20});
    events.push_back({signature});
    events.back().insert(events.back().end(), values.begin(), values.end());
  }
  return events;
}

/// Runs the tree; if it isn't too long, its last events must be the ones that were added.
void compare(const std::vector<trace::Node>& nodes, const std::vector<Event>& added) {
  trace::Expander expander(nodes);
  std::vector<Event> all;
  while (all.size() < most_expanded) {
    auto e = expander.next();
    if (!e.node) break;
    all.push_back({e.node->signature});
    all.back().insert(all.back().end(), e.parameters.begin(), e.parameters.end());
  }
  require(!expander.damaged(), "the tree has all its values");
  if (all.size() == most_expanded) return;
  require(all.size() >= added.size() && std::equal(added.rbegin(), added.rend(), all.rbegin()),
          "the tree ends with the events that were added");
}

std::vector<uint8_t> saved(const fold::Folder& folder) {
  ByteWriter out;
  folder.save(out);
  return out.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader in({data, size});
  uint64_t length = in.varint();
  auto state = in.raw(std::min<uint64_t>(length, in.left()));
  ByteReader from(state);
  fold::Folder folder = fold::Folder::restore(from);
  if (!in.ok() || !from.ok()) {
    folder.finish();
    return 0;
  }
  std::vector<uint32_t> parameters = parameters_in(state);
  std::vector<Event> added = feed(folder, parameters, in);
  std::vector<uint8_t> bytes = saved(folder);
  ByteReader again(bytes);
  fold::Folder twin = fold::Folder::restore(again);
  require(again.ok(), "a saved state is accepted");
  require(saved(twin) == bytes, "a restored folder saves the same state");

  std::vector<trace::Node> nodes = folder.finish();
  ByteWriter tree;
  format::write_nodes(tree, nodes);
  ByteReader reader(tree.bytes());
  format::read_nodes(reader, parameters);
  require(reader.ok(), reader.ok() ? "" : reader.reason());
  compare(nodes, added);
  return 0;
}
