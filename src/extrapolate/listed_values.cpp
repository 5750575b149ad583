// See listed_values.hpp.
#include "extrapolate/listed_values.hpp"

#include <algorithm>
#include <map>

#include "trace/power.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Form;
using trace::Number;
using trace::RankSet;
using trace::Value;
using trace::wrap_add;
using trace::wrap_mul;

constexpr int64_t most_turns = 1 << 16;

bool is_unknown(int64_t slope) { return slope == Unified::unknown_slope || slope == Value::any_slope; }

class Lister {
 public:
  Lister(const Unified& unified, const Loops& loops) : unified_(unified), loops_(loops) {}

  std::optional<ListedValue> list(const Value& v, const RankSet& ranks) {
    if (loops_.size() == 0 || !find_depth(v)) return std::nullopt;
    slopes_.resize(loops_.size());
    bool good = true;
    if (v.form == Form::by_rank)
      for (const trace::Alternative& a : v.alternatives) good = good && add(a.value, a.ranks);
    else
      good = add(v, ranks);
    if (!good || lists_.empty()) return std::nullopt;
    ListedValue out{.depth = depth_};
    for (const auto& known : slopes_) out.slopes.push_back(sequence_of(known));
    for (auto& [place, elements] : lists_) out.lists.push_back({unified_.places[place], std::move(elements)});
    return out;
  }

 private:
  /// The loop whose index says which element: the innermost, if a list goes through all executions.
  bool find_depth(const Value& v) {
    std::optional<uint32_t> depth;
    bool one = true;
    auto look = [&](const Value& x) {
      if (x.form != Form::separable && x.form != Form::power) return;
      one &= depth.value_or(x.depth) == x.depth;
      depth = x.depth;
    };
    look(v);
    for (const trace::Alternative& a : v.alternatives) look(a.value);
    depth_ = depth.value_or(static_cast<uint32_t>(loops_.size() - 1));
    return one && depth_ < loops_.size();
  }

  bool add(const Value& v, const RankSet& ranks) {
    std::vector<uint32_t> members = ranks.expand();
    for (size_t k = 0; k < members.size(); ++k) {
      std::optional<int64_t> count = loops_.count(depth_, members[k]);
      if (!count || *count > most_turns) return false;
      if (*count < 1) continue;
      auto elements = elements_of(v, members[k], k, *count);
      if (!elements) return false;
      lists_[members[k]] = std::move(*elements);
      for (size_t d = 0; d < v.slopes.size() && d < slopes_.size(); ++d)
        if (int64_t slope = v.slopes[d].at(members[k], k); d != depth_ && !is_unknown(slope))
          slopes_[d][members[k]] = slope;
    }
    return true;
  }

  std::optional<std::vector<int64_t>> elements_of(const Value& v, uint32_t place, size_t k,
                                                  int64_t count) const {
    std::vector<int64_t> out(static_cast<size_t>(count), v.base.at(place, k));
    int64_t slope = depth_ < v.slopes.size() ? v.slopes[depth_].at(place, k) : 0;
    if (!is_unknown(slope))
      for (int64_t i = 0; i < count; ++i) {
        int64_t& x = out[static_cast<size_t>(i)];
        x = wrap_add(x, wrap_mul(slope, i));
      }
    if (v.form == Form::affine) return out;
    if (v.form == Form::power) return with_powers(std::move(out), v.step.at(place, k), v.ratio);
    if (v.form != Form::separable && v.form != Form::column) return std::nullopt;
    auto list = list_of(v, place, k);
    if (!list || list->size() < out.size()) return std::nullopt;
    if (v.form == Form::column && !repeats(*list, place, out.size())) return std::nullopt;
    for (size_t i = 0; i < out.size(); ++i) out[i] = wrap_add(out[i], (*list)[i]);
    return out;
  }

  static std::optional<std::vector<int64_t>> with_powers(std::vector<int64_t> out, int64_t factor,
                                                         int64_t ratio) {
    for (size_t i = 0; i < out.size(); ++i) {
      auto power = trace::power_product(factor, ratio, static_cast<int64_t>(i));
      if (!power) return std::nullopt;
      out[i] = wrap_add(out[i], *power);
    }
    return out;
  }

  /// Lists stand as their numbers; see unify.hpp.
  std::optional<std::vector<int64_t>> list_of(const Value& v, uint32_t place, size_t k) const {
    if (v.entries.size() == 2) return unified_.lists[v.entries[1].at(place, k)];
    return std::nullopt;
  }

  /// Whether a list over all executions is the same in every turn of the outer loops.
  bool repeats(const std::vector<int64_t>& list, uint32_t place, size_t period) const {
    int64_t executions = 1;
    for (size_t d = 0; d < loops_.size(); ++d) {
      std::optional<int64_t> count = loops_.count(d, place);
      if (!count || *count > most_turns) return false;
      executions *= *count;
      if (executions > most_turns) return false;
    }
    size_t n = std::min(static_cast<size_t>(executions), list.size());
    for (size_t t = period; t < n; ++t)
      if (list[t] != list[t - period]) return false;
    return true;
  }

  Sequence sequence_of(const std::map<uint32_t, int64_t>& known) const {
    Sequence s;
    for (auto [place, v] : known) s.add(unified_.places[place].nprocs, unified_.places[place].rank, v);
    return s;
  }

  const Unified& unified_;
  const Loops& loops_;
  uint32_t depth_ = 0;
  std::map<uint32_t, std::vector<int64_t>> lists_;
  std::vector<std::map<uint32_t, int64_t>> slopes_;
};

}  // namespace

std::optional<int64_t> Loops::count(size_t d, uint32_t place) const {
  const auto& [value, ranks] = loops_[d];
  auto fixed = [&](const Value& v, uint64_t position) -> std::optional<int64_t> {
    if (v.form != Form::affine) return std::nullopt;
    for (const Number& slope : v.slopes)
      if (int64_t s = slope.at(place, position); s != 0 && !is_unknown(s)) return std::nullopt;
    return v.base.at(place, position);
  };
  auto position = ranks.position(place);
  if (!position) return std::nullopt;
  if (value.form != Form::by_rank) return fixed(value, *position);
  for (const trace::Alternative& a : value.alternatives)
    if (auto within = a.ranks.position(place)) return fixed(a.value, *within);
  return std::nullopt;
}

std::optional<ListedValue> listed(const Value& v, const RankSet& ranks, const Unified& unified,
                                  const Loops& loops) {
  return Lister(unified, loops).list(v, ranks);
}

}  // namespace refrain::extrapolate
