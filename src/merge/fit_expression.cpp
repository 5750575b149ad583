// The order of the search, and what its families share; see fit.hpp. The cheapest and most telling families
// come first; a result that settles the matter (a line, a cyclic shift, an exclusive or) ends the search.
#include "merge/fit_expression.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/divides.hpp"

namespace refrain::merge {
namespace {

using trace::RankExpression;
using trace::wrap_sub;

/// Longest table that stands in an expression.
constexpr size_t table_limit = 4096;

uint64_t count_tabled(const RankExpression& e) {
  bool table = e.operation() == trace::Operation::table || e.operation() == trace::Operation::prefix_sum;
  uint64_t count = table ? e.table().size() : 0;
  for (size_t i = 0; i < e.operands(); ++i) count += count_tabled(e.operand(i));
  return count;
}

void table_form(const Sequence& s, Shortest& best) {
  std::vector<int64_t> values(s.values.begin(), s.values.end());
  best.offer(RankExpression::lookup(trace::Column::of(values), s.k()));
}

/// Forms that look at the sequence as a whole.
void whole_forms(const Sequence& s, Shortest& best) {
  point_form(s, best);
  segment_forms(s, best);
  if (!best.settled()) polynomial_forms(s, best);
  if (!best.settled()) staircase_forms(s, best);
  if (!best.settled()) bit_forms(s, best);
}

}  // namespace

Place::Place(uint64_t radix, const Place& high, const Place& low)
    : whole_(high.whole_ * constant(radix) + low.whole_),
      radix_(radix),
      digits_(std::make_shared<const std::pair<Place, Place>>(high, low)) {}

Place Place::modulo(uint64_t m) const {
  return m == radix_ ? digits_->second : Place(whole_ % static_cast<int64_t>(m));
}

Place Place::quotient(uint64_t m) const {
  return m == radix_ ? digits_->first : Place(whole_ / static_cast<int64_t>(m));
}

void Shortest::offer(const RankExpression& expression) {
  size_t length = expression.length();
  if (found_ && length >= length_) return;
  found_ = true;
  expression_ = expression;
  length_ = length;
  tabled_ = count_tabled(expression);
}

void Shortest::offer(const Shortest& other) {
  if (other.found_ && (!found_ || other.length_ < length_)) *this = other;
}

void Shortest::settle(const RankExpression& expression) {
  offer(expression);
  settled_ = true;
}

Shortest fit(const Sequence& s, unsigned depth) {
  Shortest best;
  if (s.values.empty()) return best;
  int64_t slope = s.size() > 1 ? wrap_sub(s.values[1], s.values[0]) : 0;
  if (first_line(s.values) == s.size()) {
    best.settle(line(s.k(), slope, s.values[0]));
    return best;
  }
  whole_forms(s, best);
  if (best.settled()) return best;
  if (depth < max_fit_depth && s.size() >= 4) {
    radix_forms(s, depth, best);
    if (!best.good(60)) product_forms(s, depth, best);
    if (!best.good(60)) scaled_row_forms(s, depth, best);
    if (!best.good(40) && depth < 2) sentinel_form(s, depth, best);
    if (!best.good(SIZE_MAX) && depth == 0) first_or_last_apart(s, best);
  }
  return best;
}

Shortest fit_or_table(const Sequence& s, unsigned depth) {
  Shortest best = fit(s, depth);
  if (!best.settled() && s.size() <= table_limit) table_form(s, best);
  return best;
}

RankExpression line(const RankExpression& k, int64_t slope, int64_t base) {
  return k * constant(slope) + constant(base);
}

size_t first_line(std::span<const int64_t> values) {
  if (values.size() < 3) return values.size();
  int64_t slope = wrap_sub(values[1], values[0]);
  size_t n = 2;
  while (n < values.size() && wrap_sub(values[n], values[n - 1]) == slope) ++n;
  return n;
}

std::optional<int64_t> exact_quotient(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()) || a % b != 0) return std::nullopt;
  return a / b;
}

uint64_t magnitude(int64_t a) { return a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a); }

Grid grid_of(std::span<const int64_t> values) {
  Grid grid{values[0], 0};
  for (int64_t v : values) {
    grid.least = std::min(grid.least, v);
    uint64_t distance = magnitude(wrap_sub(v, values[0]));
    if (!divides(grid.unit, distance)) grid.unit = std::gcd(grid.unit, distance);
  }
  return grid;
}

std::vector<size_t> proper_divisors(size_t size) {
  std::vector<size_t> divisors;
  divisors.reserve(32);
  for (size_t d = 2; d * d <= size; ++d)
    if (size % d == 0) divisors.push_back(d);
  for (size_t i = divisors.size(); i-- > 0;)
    if (size_t d = divisors[i]; d * d != size) divisors.push_back(size / d);
  return divisors;
}

}  // namespace refrain::merge
