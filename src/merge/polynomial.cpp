// Quadratics (sizes and offsets of triangular distributions) and powers.
#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::RankExpression;
using trace::wrap_mul;
using trace::wrap_sub;

bool fits_in_64_bits(uint64_t a, uint64_t b) {
  uint64_t product;
  return !__builtin_mul_overflow(a, b, &product) && product < uint64_t{1} << 63;
}

/// The second difference if it is the same everywhere.
std::optional<int64_t> second_difference(std::span<const int64_t> v) {
  auto at = [&](size_t i) { return wrap_sub(wrap_sub(v[i + 2], v[i + 1]), wrap_sub(v[i + 1], v[i])); };
  int64_t difference = at(0);
  for (size_t i = 1; i + 2 < v.size(); ++i)
    if (at(i) != difference) return std::nullopt;
  return difference;
}

/// v[k] = (a*k*k + b*k)/2 + v[0] where a is the second difference; a + b is even.
void quadratic_forms(const Sequence& s, int64_t a, Shortest& best) {
  int64_t slope = wrap_sub(s.values[1], s.values[0]);
  int64_t b = wrap_sub(wrap_mul(2, slope), a), half = 2;
  if (!fits_in_64_bits(magnitude(a), s.size() * s.size())) return;
  if (a % 2 == 0 && b % 2 == 0) a /= 2, b /= 2, half = 1;
  const RankExpression& k = s.k();
  RankExpression base = constant(s.values[0]);
  if (auto root = exact_quotient(b, a)) best.offer(k * (k + constant(*root)) * constant(a) / half + base);
  best.offer((k * k * constant(a) + k * constant(b)) / half + base);
  if (s.size() >= 8) best.settle(best.expression());
}

/// v[k] = a*b^k + c.
void power_form(const Sequence& s, Shortest& best) {
  int64_t before = 0, rise = 0, scaled = 0;
  if (s.size() > 62 || __builtin_sub_overflow(s.values[1], s.values[0], &before) || before == 0) return;
  if (__builtin_sub_overflow(s.values[2], s.values[1], &rise)) return;
  auto ratio = exact_quotient(rise, before);
  if (!ratio || *ratio < 2) return;
  auto factor = exact_quotient(before, *ratio - 1);
  if (!factor) return;
  for (size_t i = 2; i < s.size(); ++i, before = rise)
    if (__builtin_sub_overflow(s.values[i], s.values[i - 1], &rise) ||
        __builtin_mul_overflow(before, *ratio, &scaled) || rise != scaled)
      return;
  best.settle(line(RankExpression::power(*ratio, s.k()), *factor, wrap_sub(s.values[0], *factor)));
}

}  // namespace

void polynomial_forms(const Sequence& s, Shortest& best) {
  if (s.size() < 5) return;
  if (auto a = second_difference(s.values)) quadratic_forms(s, *a, best);
  power_form(s, best);
}

}  // namespace refrain::merge
