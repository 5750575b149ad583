// Sequences with exceptions: one place that is different (rank 0, the last rank), or one value that stands
// for "nothing" at places that have a rule of their own, while the others lie on a line: the neighbour
// of a rank at the boundary of its grid is MPI_PROC_NULL.
#include <algorithm>

#include "merge/fit.hpp"

namespace refrain::merge {
namespace {

using trace::Operation;
using trace::RankExpression;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

/// `condition ? yes : no`, without a comparison with zero.
RankExpression choose(const RankExpression& condition, const RankExpression& yes, const RankExpression& no) {
  if (condition.operation() == Operation::equal && condition.operand(1).is_constant(0))
    return RankExpression::select(condition.operand(0), no, yes);
  return RankExpression::select(condition, yes, no);
}

struct Line {
  int64_t slope, base;
};

/// The line on which all values but `sentinel` lie.
std::optional<Line> line_without(const Sequence& s, int64_t sentinel) {
  std::span<const int64_t> v = s.values;
  size_t first = 0;
  while (first < v.size() && v[first] == sentinel) ++first;
  size_t second = first + 1;
  while (second < v.size() && v[second] == sentinel) ++second;
  s.effort->spend(std::min(second, v.size()));
  if (second >= v.size()) return std::nullopt;
  auto slope = exact_quotient(wrap_sub(v[second], v[first]), static_cast<int64_t>(second - first));
  if (!slope) return std::nullopt;
  int64_t base = wrap_sub(v[first], wrap_mul(*slope, static_cast<int64_t>(first)));
  for (size_t i = second; i < v.size(); ++i)
    if (v[i] != sentinel && v[i] != wrap_add(base, wrap_mul(*slope, static_cast<int64_t>(i))))
      return std::nullopt;
  s.effort->spend(v.size());
  return Line{*slope, base};
}

/// The sequence with the value at `place` as its neighbours suggest; no table.
Shortest fit_without(const Sequence& s, size_t place) {
  std::vector<int64_t> values(s.values.begin(), s.values.end());
  size_t near = place == 0 ? 1 : place - 1, far = place == 0 ? 2 : place - 2;
  values[place] = wrap_sub(wrap_mul(2, values[near]), values[far]);
  return fit({values, s.place, s.effort}, 1);
}

}  // namespace

void point_form(const Sequence& s, Shortest& best) {
  std::span<const int64_t> v = s.values;
  if (v.size() < 4) return;
  int64_t usual = v[0] == v[1] || v[0] == v[2] ? v[0] : v[1];
  auto unusual = [usual](int64_t x) { return x != usual; };
  auto at = std::find_if(v.begin(), v.end(), unusual);
  if (at == v.end() || std::find_if(at + 1, v.end(), unusual) != v.end()) return;
  RankExpression there = RankExpression::equal(s.k(), constant(at - v.begin()));
  best.settle(line(there, wrap_sub(*at, usual), usual));
}

void sentinel_form(const Sequence& s, unsigned depth, Shortest& best) {
  if (s.size() < 6) return;
  auto [least, greatest] = std::minmax_element(s.values.begin(), s.values.end());
  std::vector<int64_t> candidates{*least, *greatest, s.values.front(), s.values.back()};
  s.effort->spend(s.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    int64_t sentinel = candidates[i];
    if (std::find(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(i), sentinel) !=
        candidates.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    auto others = line_without(s, sentinel);
    if (!others) continue;
    std::vector<int64_t> mask;
    mask.reserve(s.size());
    for (int64_t v : s.values) mask.push_back(v == sentinel);
    Shortest where = fit({mask, s.place, s.effort}, depth + 1);
    if (!where.good(SIZE_MAX)) continue;
    best.offer(choose(where.expression(), constant(sentinel), line(s.k(), others->slope, others->base)));
  }
}

void first_or_last_apart(const Sequence& s, Shortest& best) {
  if (s.size() < 8) return;
  size_t last = s.size() - 1;
  Shortest others = fit_without(s, 0);
  if (others.good(SIZE_MAX))
    best.offer(RankExpression::select(s.k(), others.expression(), constant(s.values[0])));
  if (best.found()) return;
  others = fit_without(s, last);
  if (others.good(SIZE_MAX))
    best.offer(RankExpression::select(RankExpression::less(s.k(), constant(last)), others.expression(),
                                      constant(s.values[last])));
}

}  // namespace refrain::merge
