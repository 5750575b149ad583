// Sequences with exceptions: one place that is different (rank 0, the last rank), or one value that stands
// for "nothing" at places that have a rule of their own, while the others lie on a line: the neighbor
// of a rank at the boundary of its grid is MPI_PROC_NULL.
#include <algorithm>

#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::Operation;
using trace::RankExpression;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

/// x < m for 1 - x/m, which is 0 or 1.
std::optional<RankExpression> complement_of_quotient(const RankExpression& e) {
  if (e.operation() != Operation::add || !e.operand(1).is_constant(1)) return std::nullopt;
  const RankExpression& product = e.operand(0);
  if (product.operation() != Operation::multiply || !product.operand(1).is_constant(-1)) return std::nullopt;
  const RankExpression& quotient = product.operand(0);
  if (quotient.operation() != Operation::divide) return std::nullopt;
  return RankExpression::less(quotient.operand(0), constant(quotient.number()));
}

/// Of an expression whose factors are -1, 0 or 1: the shortest that is zero where it is.
RankExpression truth(const RankExpression& e) {
  if (e.operation() == Operation::multiply)
    return RankExpression::both(truth(e.operand(0)), truth(e.operand(1)));
  if (e.operation() == Operation::select && e.operand(1).is_constant(1) && e.operand(2).is_constant(0))
    return truth(e.operand(0));
  if (auto bound = complement_of_quotient(e)) return *bound;
  return e;
}

/// `zero_or_one ? yes : no`, without needless comparisons with zero.
RankExpression choose(const RankExpression& zero_or_one, const RankExpression& yes,
                      const RankExpression& no) {
  RankExpression condition = truth(zero_or_one);
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

/// `sentinel` at some places, the line at the others.
void offer_with_sentinel(const Sequence& s, unsigned depth, int64_t sentinel, Line others, Shortest& best) {
  RankExpression nothing = constant(sentinel), something = line(s.k(), others.slope, others.base);
  std::vector<int64_t> mask;
  mask.reserve(s.size());
  for (int64_t v : s.values) mask.push_back(v == sentinel);
  // If there are but two values, the mask is what has been fitted already, products aside.
  Shortest where;
  if (others.slope != 0)
    where = fit({mask, s.place, s.effort}, depth + 1);
  else
    product_forms({mask, s.place, s.effort}, depth + 1, where);
  if (where.good(SIZE_MAX)) best.offer(choose(where.expression(), nothing, something));
  if (where.good(s.k().length() + 8)) return;
  // At a corner the places without sentinel are a product: inside in x times inside in y.
  for (int64_t& m : mask) m = 1 - m;
  Shortest where_not;
  product_forms({mask, s.place, s.effort}, depth + 1, where_not);
  if (where_not.good(SIZE_MAX)) best.offer(choose(where_not.expression(), something, nothing));
}

/// The sequence with the value at `place` as its neighbors suggest.
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
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  s.effort->spend(s.size());
  for (int64_t sentinel : candidates)
    if (auto others = line_without(s, sentinel)) offer_with_sentinel(s, depth, sentinel, *others, best);
}

void first_or_last_apart(const Sequence& s, Shortest& best) {
  if (s.size() < 8) return;
  size_t last = s.size() - 1;
  Shortest others = fit_without(s, 0);
  if (others.good(SIZE_MAX))
    best.offer(RankExpression::select(s.k(), others.expression(), constant(s.values[0])));
  if (best.good(SIZE_MAX)) return;
  others = fit_without(s, last);
  if (others.good(SIZE_MAX))
    best.offer(RankExpression::select(RankExpression::less(s.k(), constant(last)), others.expression(),
                                      constant(s.values[last])));
}

}  // namespace refrain::merge
