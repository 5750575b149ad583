// Untying and tying references; see references.hpp.
#include "merge/table_references.hpp"

#include <algorithm>
#include <optional>

namespace refrain::merge {
namespace {

using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Value;

/// Longer ones stay as they are.
constexpr uint64_t longest_expansion = 4096;

/// The most iterations that a loop with this trip count has, if that is plain to see and not too many.
std::optional<uint64_t> most_trips(const Value& count) {
  int64_t most = 0;
  auto look_at = [&](int64_t trips) { most = std::max(most, trips); };
  if (count.is_constant()) {
    look_at(count.constant_value());
  } else if (count.form == Form::column && count.base.is_constant() && count.column &&
             count.column->size() <= longest_expansion) {
    for (int64_t trips : count.column->expand(longest_expansion))
      look_at(trace::wrap_add(count.base.constant(), trips));
  } else {
    return std::nullopt;
  }
  if (most < 1 || static_cast<uint64_t>(most) > longest_expansion) return std::nullopt;
  return static_cast<uint64_t>(most);
}

bool is_zero(const Number& slope) {
  return slope.is_constant() && (slope.constant() == 0 || slope.constant() == Value::any_slope);
}

/// What stands around a list of nodes.
struct Around {
  std::vector<const Value*> counts{};  ///< of the loops, outermost first
  size_t choices = 0;                  ///< in them, not every iteration comes here
};

/// The values of an affine reference one after the other, if all loops around it have fixed trip counts.
std::optional<std::vector<int64_t>> listed(const Value& v, const Around& around) {
  if (around.choices > 0) return std::nullopt;
  std::vector<int64_t> values{v.base.constant()};
  for (size_t depth = 0; depth < around.counts.size(); ++depth) {
    if (!around.counts[depth]->is_constant()) return std::nullopt;
    int64_t slope = 0, trips = around.counts[depth]->constant_value();
    if (depth < v.slopes.size() && !is_zero(v.slopes[depth])) {
      if (!v.slopes[depth].is_constant()) return std::nullopt;
      slope = v.slopes[depth].constant();
    }
    if (trips < 1 || static_cast<uint64_t>(trips) > longest_expansion / values.size()) return std::nullopt;
    std::vector<int64_t> inner;
    for (int64_t before : values)
      for (int64_t k = 0; k < trips; ++k) inner.push_back(trace::wrap_add(before, trace::wrap_mul(slope, k)));
    values = std::move(inner);
  }
  return values;
}

void untie(Value& v, const Around& around) {
  if (v.form != Form::affine || !v.base.is_constant()) return;
  auto sloping = std::find_if_not(v.slopes.begin(), v.slopes.end(), is_zero);
  if (sloping == v.slopes.end() || !sloping->is_constant()) return;
  if (!std::all_of(sloping + 1, v.slopes.end(), is_zero)) {
    if (auto values = listed(v, around))
      v = Value{.form = Form::column, .column = std::make_shared<const Column>(Column::of(*values))};
    return;
  }
  auto depth = static_cast<size_t>(sloping - v.slopes.begin());
  auto trips = depth < around.counts.size() ? most_trips(*around.counts[depth]) : std::nullopt;
  if (!trips) return;
  Column::Items run{{v.base.constant(), sloping->constant(), *trips, 0}};
  v = Value{.form = Form::separable,
            .depth = static_cast<uint32_t>(depth),
            .column = std::make_shared<const Column>(std::move(run), std::vector<Column::Items>())};
}

void tie(Value& v, const Around&) {
  if (v.form != Form::separable || !v.base.is_constant() || !v.entries.empty() || !v.column) return;
  if (!std::all_of(v.slopes.begin(), v.slopes.end(), is_zero)) return;
  const Column::Items& items = v.column->items();
  if (items.size() != 1 || items[0].body != 0) return;
  Value affine = Value::constant(trace::wrap_add(v.base.constant(), items[0].first));
  if (items[0].count > 1 && items[0].stride != 0) {
    affine.slopes.assign(v.depth + 1, 0);
    affine.slopes[v.depth] = items[0].stride;
  }
  v = std::move(affine);
}

using Change = void (*)(Value&, const Around&);

void change_all(const trace::Trace& tables, std::vector<Node>& nodes, Around& around, Change change) {
  for (Node& node : nodes) {
    bool loop = node.kind == NodeKind::loop, choice = node.kind == NodeKind::choice;
    if (loop) around.counts.push_back(&node.count);
    around.choices += choice;
    change_all(tables, node.body, around, change);
    around.choices -= choice;
    if (loop) around.counts.pop_back();
    if (node.kind != NodeKind::event) continue;
    const trace::Signature& signature = tables.signatures[node.signature];
    for (auto kind : {trace::OperandKind::text, trace::OperandKind::long_list})
      trace::for_references(signature, kind, [&](size_t at) {
        Value& v = node.parameters[at];
        change(v, around);
        for (trace::Alternative& a : v.alternatives) change(a.value, around);
      });
  }
}

void change_all(const trace::Trace& tables, trace::Process& process, Change change) {
  Around around;
  around.counts.reserve(8);
  for (trace::Stream& s : process.streams) change_all(tables, s.nodes, around, change);
}

}  // namespace

void untie_references(trace::Trace& trace) {
  for (trace::Process& p : trace.processes) change_all(trace, p, untie);
}

void tie_references(const trace::Trace& tables, trace::Process& process) { change_all(tables, process, tie); }

}  // namespace refrain::merge
