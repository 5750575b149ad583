// See copies.hpp.
#include "extrapolate/copies.hpp"

#include <algorithm>
#include <optional>

#include "merge/join.hpp"
#include "trace/at_rank.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Alternative;
using trace::Form;
using trace::Node;
using trace::Number;
using trace::RankSet;
using trace::Value;

/// The number on some of the ranks that have it.
void restrict_number(Number& n, const RankSet& from, const std::vector<uint32_t>& to) {
  if (!n.table()) return;
  std::vector<int64_t> values;
  for (uint32_t rank : to) values.push_back(n.at(rank, from.position(rank).value_or(0)));
  n = Number(trace::Column::of(values));
}

/// What is copied, on the ranks of a copy. Nothing if some of them have it in another form, or not at all.
std::optional<Value> copied(const Value& original, const RankSet& from, const RankSet& to) {
  const std::vector<uint32_t> ranks = to.expand();
  if (!std::all_of(ranks.begin(), ranks.end(), [&](uint32_t r) { return from.contains(r); }))
    return std::nullopt;
  if (original.form == Form::by_rank) {
    Value all{.form = Form::by_rank};
    for (const Alternative& a : original.alternatives) {
      std::vector<uint32_t> own;
      std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(own),
                   [&](uint32_t r) { return a.ranks.contains(r); });
      if (own.empty()) continue;
      RankSet those = RankSet::of(std::move(own));
      auto value = copied(a.value, a.ranks, those);
      if (!value) return std::nullopt;
      if (those == to) return value;
      all.alternatives.push_back({std::move(those), std::move(*value)});
    }
    return all;
  }
  if (original.form == Form::running || original.form == Form::copy) return std::nullopt;
  Value v = original;
  restrict_number(v.base, from, ranks);
  restrict_number(v.step, from, ranks);
  for (Number& n : v.slopes) restrict_number(n, from, ranks);
  for (Number& n : v.entries) restrict_number(n, from, ranks);
  return v;
}

/// True if the value was a copy and is none any more.
bool resolve(Value& v, const RankSet& ranks, const std::vector<Node>& siblings, const RankSet& around) {
  if (v.form != Form::copy || v.sibling >= siblings.size() || !v.base.is_constant()) return false;
  const Node& source = siblings[v.sibling];
  if (v.parameter >= source.parameters.size()) return false;
  auto original = copied(source.parameters[v.parameter], trace::ranks_of(source, around), ranks);
  if (!original) return false;
  for (Alternative& a : original->alternatives) a.value.base.shift(v.base.constant());
  original->base.shift(v.base.constant());
  v = std::move(*original);
  return true;
}

/// One value for all, as far as forms allow.
Value joined(const trace::Alternatives& alternatives) {
  Value all = alternatives[0].value;
  RankSet ranks = alternatives[0].ranks;
  for (size_t i = 1; i < alternatives.size(); ++i) {
    merge::join(all, Value(alternatives[i].value), merge::Order(ranks, alternatives[i].ranks));
    ranks = ranks.united(alternatives[i].ranks);
  }
  return all;
}

}  // namespace

void resolve_copies(std::vector<Node>& nodes, const RankSet& around) {
  for (Node& node : nodes) {
    const RankSet own = trace::ranks_of(node, around);
    auto each = [&](Value& v) {
      resolve(v, own, nodes, around);
      bool changed = false;
      for (Alternative& a : v.alternatives) changed |= resolve(a.value, a.ranks, nodes, around);
      if (changed) v = joined(v.alternatives);
    };
    each(node.count);
    for (Value& v : node.parameters) each(v);
  }
}

bool has_copies(const std::vector<Node>& nodes) {
  auto copies = [](const Value& v) {
    return v.form == Form::copy ||
           std::any_of(v.alternatives.begin(), v.alternatives.end(),
                       [](const trace::Alternative& a) { return a.value.form == Form::copy; });
  };
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return copies(node.count) || std::any_of(node.parameters.begin(), node.parameters.end(), copies);
  });
}

}  // namespace refrain::extrapolate
