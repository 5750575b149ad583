#include "compare/same_tree.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace refrain::compare {
namespace {

using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Value;

constexpr uint64_t translated_values = 1 << 16;  ///< of one column; longer ones are left to running

Number slope(const Value& v, size_t depth) {
  if (depth >= v.slopes.size() || v.slopes[depth] == Value::any_slope) return 0;
  return v.slopes[depth];
}

bool same_slopes(const Value& a, const Value& b) {
  for (size_t d = 0; d < std::max(a.slopes.size(), b.slopes.size()); ++d)
    if (!(slope(a, d) == slope(b, d))) return false;
  return true;
}

bool same_column(const Value& a, const Value& b) {
  if (a.entries != b.entries) return false;
  return a.column == b.column || (a.column && b.column && a.column->same_values(*b.column));
}

/// Equal numbers in every execution.
bool same_numbers(const Value& a, const Value& b) {
  if (a.form != b.form || a.base != b.base) return false;
  switch (a.form) {
    case Form::affine:
      return same_slopes(a, b);
    case Form::counter:
      return a.step == b.step;
    case Form::running:
      return a.step == b.step && a.parameter == b.parameter;
    case Form::copy:
      return a.sibling == b.sibling && a.parameter == b.parameter;
    case Form::separable:
      return same_slopes(a, b) && a.depth == b.depth && same_column(a, b);
    case Form::column:
      return same_column(a, b);
    case Form::power:
      return same_slopes(a, b) && a.depth == b.depth && a.ratio == b.ratio && a.step == b.step;
    case Form::by_rank:
      return a.alternatives == b.alternatives;
  }
  return false;
}

/// Compares values whose numbers stand for entries of tables.
class Translated {
 public:
  Translated(const Meanings& meanings, Side a, Side b, ParameterKind kind)
      : meanings_(meanings), side_a_(a), side_b_(b), kind_(kind) {}

  bool same(const Value& a, const Value& b) const {
    if (side_a_ == side_b_ || meanings_.identical(kind_)) return same_numbers(a, b);
    if (a.is_constant() && b.is_constant()) return same(a.constant_value(), b.constant_value());
    if (a.form != b.form || !a.column || !b.column || !a.is_plain() || !b.is_plain()) return false;
    bool selects = a.form == Form::separable && is_flat(a) && is_flat(b) && a.depth == b.depth;
    if (a.form != Form::column && !selects) return false;
    if (a.column->size() != b.column->size() || a.column->size() > translated_values) return false;
    Column::Cursor x(*a.column), y(*b.column);
    int64_t base_a = a.base.constant(), base_b = b.base.constant();
    while (!x.done())
      if (!same(trace::wrap_add(base_a, x.next()), trace::wrap_add(base_b, y.next()))) return false;
    return true;
  }

 private:
  bool same(int64_t a, int64_t b) const {
    return meanings_.value(side_a_, kind_, a) == meanings_.value(side_b_, kind_, b);
  }
  static bool is_flat(const Value& v) {
    for (size_t d = 0; d < v.slopes.size(); ++d)
      if (!(slope(v, d) == 0)) return false;
    return true;
  }

  const Meanings& meanings_;
  Side side_a_, side_b_;
  ParameterKind kind_;
};

bool same_event(const Meanings& m, Side side_a, const Node& a, Side side_b, const Node& b) {
  uint32_t common = m.signature(side_a, a.signature);
  if (common != m.signature(side_b, b.signature)) return false;
  const auto& kinds = m.parameters(common);
  for (size_t i = 0; i < kinds.size(); ++i) {
    const Value &x = a.parameters[i], &y = b.parameters[i];
    bool same = kinds[i] == ParameterKind::number ? same_numbers(x, y)
                                                  : Translated(m, side_a, side_b, kinds[i]).same(x, y);
    if (!same) return false;
  }
  return true;
}

}  // namespace

bool same_node(const Meanings& m, Side side_a, const Node& a, Side side_b, const Node& b) {
  if (a.kind != b.kind || a.ranks != b.ranks) return false;
  if (a.kind == NodeKind::event) return same_event(m, side_a, a, side_b, b);
  if (a.kind != NodeKind::group && !same_numbers(a.count, b.count)) return false;
  return same_tree(m, {side_a, a.body}, {side_b, b.body});
}

bool same_tree(const Meanings& m, Tree a, Tree b) {
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [&](const Node& x, const Node& y) { return same_node(m, a.side, x, b.side, y); });
}

uint64_t tree_hash(const Meanings& m, Tree tree) {
  uint64_t h = tree.nodes.size();
  auto add = [&](const Value& v) {
    h = hash_combine(h, static_cast<uint64_t>(v.form));
    h = hash_combine(h, static_cast<uint64_t>(v.base.constant()));
  };
  for (const Node& n : tree.nodes) {
    h = hash_combine(h, static_cast<uint64_t>(n.kind));
    if (n.kind == NodeKind::event) h = hash_combine(h, m.signature(tree.side, n.signature));
    for (const Value& v : n.parameters) add(v);
    add(n.count);
    h = hash_combine(h, tree_hash(m, {tree.side, n.body}));
  }
  return h;
}

}  // namespace refrain::compare
