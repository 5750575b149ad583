// See long_lists.hpp.
#include "merge/long_lists.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "merge/express.hpp"

namespace refrain::merge {
namespace {

using trace::Alternative;
using trace::Column;
using trace::Form;
using trace::Number;
using trace::RankExpression;
using trace::RankSet;
using trace::Value;
using trace::wrap_add;
using trace::wrap_sub;

constexpr uint64_t longest_list = 1024;                ///< kernels print every element
constexpr uint64_t most_integers = uint64_t{1} << 22;  ///< of all ranks together that are looked at
constexpr uint64_t least_ranks = 3;                    ///< any two have a rule
constexpr size_t most_kinds = 64;

/// A list that is the same in everything but its elements as another of this kind.
bool is_list(const Value& v) {
  bool plain = v.column && v.entries.empty() && v.column->size() <= longest_list;
  return plain &&
         (v.form == Form::column || (v.form == Form::separable && Value{.slopes = v.slopes}.is_plain()));
}

bool same_kind(const Value& a, const Value& b) {
  return a.form == b.form && a.depth == b.depth && a.slopes == b.slopes && a.column && b.column &&
         a.column->size() == b.column->size();
}

/// The lists of all ranks of some alternatives.
class Lists {
 public:
  explicit Lists(const std::vector<Alternative>& of) {
    std::map<uint32_t, Place> places;
    for (const Alternative& a : of) {
      columns_.push_back(a.value.column->expand());
      std::vector<uint32_t> ranks = a.ranks.expand();
      for (size_t i = 0; i < ranks.size(); ++i)
        places[ranks[i]] = {columns_.size() - 1, a.value.base.at(ranks[i], i)};
    }
    std::vector<uint32_t> ranks;
    for (const auto& [rank, place] : places) {
      ranks.push_back(rank);
      places_.push_back(place);
    }
    ranks_ = RankSet::of(ranks);
  }

  const RankSet& ranks() const { return ranks_; }

  /// An expression for each element, or none.
  std::optional<std::vector<Number>> expressed() const {
    std::vector<Number> entries;
    std::vector<int64_t> before;
    for (size_t i = 0; i < columns_[0].size(); ++i) {
      std::vector<int64_t> now = element(i);
      auto by = i == 0 ? std::nullopt : distance(before, now);
      if (by) {
        entries.push_back(entries.back());
        entries.back().shift(*by);
      } else if (auto found = number(now)) {
        entries.push_back(*found);
      } else {
        return std::nullopt;
      }
      before = std::move(now);
    }
    return entries;
  }

 private:
  struct Place {
    size_t column = 0;
    int64_t base = 0;
  };

  std::vector<int64_t> element(size_t i) const {
    std::vector<int64_t> out;
    out.reserve(places_.size());
    for (const Place& p : places_) out.push_back(wrap_add(p.base, columns_[p.column][i]));
    return out;
  }

  /// By how much all are larger, if equally.
  static std::optional<int64_t> distance(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
    int64_t by = wrap_sub(to[0], from[0]);
    for (size_t k = 1; k < from.size(); ++k)
      if (wrap_sub(to[k], from[k]) != by) return std::nullopt;
    return by;
  }

  std::optional<Number> number(const std::vector<int64_t>& values) const {
    auto found = express(ranks_, Column::of(values));
    if (!found || says_nothing(*found, values.size())) return std::nullopt;
    return found->is_constant() ? Number(found->number()) : Number(*found);
  }

  std::vector<std::vector<int64_t>> columns_;
  std::vector<Place> places_;  ///< by rank
  RankSet ranks_;
};

/// One alternative in place of those of a group.
std::optional<Alternative> united(const std::vector<Alternative>& group) {
  const Value& model = group[0].value;
  uint64_t ranks = 0;
  for (const Alternative& a : group) ranks += a.ranks.size();
  if (group.size() < 2 || ranks < least_ranks || ranks * model.column->size() > most_integers)
    return std::nullopt;
  Lists lists(group);
  auto entries = lists.expressed();
  if (!entries) return std::nullopt;
  Alternative one{lists.ranks(), {.form = model.form, .slopes = model.slopes, .depth = model.depth}};
  one.value.entries = std::move(*entries);
  return one;
}

}  // namespace

void unite_long_lists(Value& value) {
  size_t before = value.alternatives.size();
  std::vector<Alternative> out;
  std::vector<std::vector<Alternative>> groups;
  for (Alternative& a : value.alternatives) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& g) { return same_kind(g[0].value, a.value); });
    bool listed = is_list(a.value) && (group != groups.end() || groups.size() < most_kinds);
    if (!listed)
      out.push_back(std::move(a));
    else if (group != groups.end())
      group->push_back(std::move(a));
    else
      groups.emplace_back().push_back(std::move(a));
  }
  for (auto& group : groups) {
    if (auto one = united(group)) group = {std::move(*one)};
    std::move(group.begin(), group.end(), std::back_inserter(out));
  }
  if (out.size() == 1 && before > 1) {
    value = Value(std::move(out[0].value));
    return;
  }
  value.alternatives = std::move(out);
}

}  // namespace refrain::merge
