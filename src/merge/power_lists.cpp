// See power_lists.hpp. How long a list must be follows from the loops around it, where they always turn
// equally often; elsewhere the alternatives stay.
#include "merge/power_lists.hpp"

#include <algorithm>
#include <optional>

#include "merge/join.hpp"
#include "trace/at_rank.hpp"
#include "trace/power.hpp"

namespace refrain::merge {
namespace {

using trace::Alternative;
using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::RankSet;
using trace::Value;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

constexpr int64_t longest_listed_power = 64;

bool is_listed(const Value& v) { return v.form == Form::column || v.form == Form::separable; }

/// The value of one rank where its loops are in these turns.
std::optional<int64_t> value_at(const Value& v, const std::vector<int64_t>& indices) {
  auto sum = trace::power_product(v.step.constant(), v.ratio, indices[v.depth]);
  if (!sum) return std::nullopt;
  int64_t value = wrap_add(*sum, v.base.constant());
  for (size_t d = 0; d < v.slopes.size() && d < indices.size(); ++d)
    if (int64_t slope = v.slopes[d].constant(); slope != Value::any_slope)
      value = wrap_add(value, wrap_mul(slope, indices[d]));
  return value;
}

class PowerLister {
 public:
  void list(std::vector<Node>& nodes, const RankSet& around) {
    for (Node& node : nodes) {
      const RankSet& ranks = trace::ranks_of(node, around);
      value(node.count);
      for (Value& v : node.parameters) value(v);
      bool loop = node.kind == NodeKind::loop, choice = node.kind == NodeKind::choice;
      if (loop) trips_.push_back(node.count.is_constant() ? node.count.constant_value() : unknown);
      choices_ += choice ? 1 : 0;
      list(node.body, ranks);
      choices_ -= choice ? 1 : 0;
      if (loop) trips_.pop_back();
    }
  }

 private:
  static constexpr int64_t unknown = -1;

  void value(Value& v) {
    uint64_t powers = 0, lists = 0;
    const Value* model = nullptr;
    for (const Alternative& a : v.alternatives) {
      if (a.value.form == Form::power) powers += a.ranks.size();
      if (is_listed(a.value)) lists += a.ranks.size(), model = &a.value;
    }
    if (powers == 0 || lists <= powers) return;
    std::vector<Alternative> all = v.alternatives;
    for (Alternative& a : all) {
      if (a.value.form != Form::power) continue;
      auto listed = as_list(a, *model);
      if (!listed) return;
      a.value = std::move(*listed);
    }
    Value joined = all[0].value;
    RankSet ranks = all[0].ranks;
    for (size_t i = 1; i < all.size(); ++i) {
      join(joined, std::move(all[i].value), Order(ranks, all[i].ranks));
      ranks = ranks.united(all[i].ranks);
    }
    if (joined.alternatives.size() < v.alternatives.size()) v = std::move(joined);
  }

  /// The power in the form of the model: over the index of its loop, or over all executions.
  std::optional<Value> as_list(const Alternative& a, const Value& model) const {
    if (model.form == Form::separable && model.depth != a.value.depth) return std::nullopt;
    Value out{.form = model.form, .depth = model.depth};
    if (model.form == Form::separable) out.slopes = a.value.slopes;
    std::vector<std::vector<int64_t>> turns = turns_of(a.value, model.form == Form::separable);
    if (turns.empty()) return std::nullopt;
    std::vector<std::vector<int64_t>> columns(turns.size());
    for (uint64_t k = 0; k < a.ranks.size(); ++k) {
      Value own = a.value.at(a.ranks.at(k), k);
      if (model.form == Form::separable) own.slopes.clear();
      for (size_t t = 0; t < turns.size(); ++t) {
        auto x = value_at(own, turns[t]);
        if (!x) return std::nullopt;
        columns[t].push_back(t == 0 ? *x : wrap_sub(*x, columns[0].back()));
      }
    }
    out.base = Number(Column::of(columns[0]));
    out.entries.emplace_back(0);
    for (size_t t = 1; t < turns.size(); ++t) out.entries.emplace_back(Column::of(columns[t]));
    return out;
  }

  /// The turns of all loops in each execution, or in each turn of the power's loop; none if they are too
  /// many, or not always the same.
  std::vector<std::vector<int64_t>> turns_of(const Value& v, bool of_one_loop) const {
    int64_t executions = 1;
    for (size_t d = 0; d < trips_.size(); ++d) {
      if (of_one_loop && d != v.depth) continue;
      if (trips_[d] < 1 || trips_[d] > longest_listed_power) return {};
      executions *= trips_[d];
      if (executions > longest_listed_power) return {};
    }
    if (v.depth >= trips_.size() || (choices_ > 0 && !of_one_loop)) return {};
    std::vector<std::vector<int64_t>> all;
    for (int64_t t = 0; t < executions; ++t) {
      std::vector<int64_t>& indices = all.emplace_back(trips_.size(), 0);
      if (of_one_loop) {
        indices[v.depth] = t;
        continue;
      }
      int64_t rest = t;
      for (size_t d = trips_.size(); d-- > 0; rest /= trips_[d]) indices[d] = rest % trips_[d];
    }
    return all;
  }

  std::vector<int64_t> trips_;  ///< of the loops around the list
  size_t choices_ = 0;
};

}  // namespace

void list_powers(std::vector<Node>& nodes, const RankSet& around) { PowerLister().list(nodes, around); }

}  // namespace refrain::merge
