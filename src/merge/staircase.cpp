// Staircases: sequences that rise by one or stay, as evenly as integers allow: y[k] = floor((a*k + c) / b).
// Three kinds of columns are staircases in disguise:
//
//   two different differences d, d+g         v = v[0] + d*k + g*y      starts of even distributions, r*N/P
//   … one negative, one positive             v = (a*k + c) % m         round robin, cyclic shifts
//   two different values u, u+g              v = u + g*(y[k+1]-y[k])   sizes of even distributions
//
// Points (k, y[k]) of a staircase lie on a digital straight line: there are a, b, m with
// m <= a*k - b*y < m + b for all of them (so c = -m). `recognize` takes the points one at a time and keeps
// the line with the smallest b, as Debled-Rennesson and Reveilles do: while the new point's remainder
// a*k - b*y lies within the bounds nothing changes; one beyond them tilts the line, which then passes through
// the new point and an old point of the opposite bound; further off there is no such line. Example:
//
//   y = 0 0 1 1 2     (0,0) (1,0): slope 0/1, m = 0
//                     (2,1) has remainder -1, one too small: slope 1/2 through (0,0) and (2,1), m = 0
//                     (3,1) has remainder 1, (4,2) has 0: both within.   y = floor(k/2)
//
// The smallest b is not always the shortest text: N items over P ranks are r*N/P, so the number of places is
// tried as denominator, too.
#include <limits>
#include <numeric>

#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::RankExpression;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

/// y[k] = floor((a*k + c) / b) with 0 <= a <= b, 0 <= c < b.
struct Staircase {
  int64_t a, b, c;
};

struct Point {
  int64_t x = 0, y = 0;
};

/// `rises(i)` says whether y[i] - y[i-1] is 1 (otherwise 0), for 0 < i < places.
template <class Rises>
std::optional<Staircase> recognize(size_t places, Rises rises) {
  int64_t a = 0, b = 1, least = 0;
  Point upper_first, upper_last, lower_first, lower_last, point;
  for (size_t i = 1; i < places; ++i) {
    point = {static_cast<int64_t>(i), point.y + (rises(i) ? 1 : 0)};
    int64_t remainder = a * point.x - b * point.y;
    if (remainder == least - 1) {
      lower_first = lower_last;
      upper_last = point;
      a = point.y - upper_first.y;
      b = point.x - upper_first.x;
      least = a * point.x - b * point.y;
    } else if (remainder == least + b) {
      upper_first = upper_last;
      lower_last = point;
      a = point.y - lower_first.y;
      b = point.x - lower_first.x;
      least = a * point.x - b * point.y - b + 1;
    } else if (remainder < least || remainder > least + b) {
      return std::nullopt;
    } else {
      if (remainder == least) upper_last = point;
      if (remainder == least + b - 1) lower_last = point;
    }
  }
  return Staircase{a, b, -least};
}

/// The same staircase with denominator b and the smallest c, if there is one.
template <class Rises>
std::optional<Staircase> with_denominator(int64_t b, const Staircase& known, size_t places, Rises rises) {
  int64_t guess = known.a * b / known.b;
  for (int64_t a = guess > 0 ? guess - 1 : 0; a <= guess + 2 && a <= b; ++a) {
    int64_t low = 0, high = b - 1, y = 0;
    for (size_t i = 1; i < places && low <= high; ++i) {
      y += rises(i) ? 1 : 0;
      int64_t rest = b * y - a * static_cast<int64_t>(i);
      low = std::max(low, rest);
      high = std::min(high, rest + b - 1);
    }
    if (low <= high) return Staircase{a, b, low};
  }
  return std::nullopt;
}

template <class Rises, class Offer>
void each_staircase(const Sequence& s, size_t places, Rises rises, Offer offer) {
  auto stairs = recognize(places, rises);
  if (!stairs) return;
  s.effort->spend(6 * places);
  auto n = static_cast<int64_t>(s.size());
  auto over_all = with_denominator(n, *stairs, places, rises);
  if (over_all) offer(*over_all);
  // r*N/P says more than an equal staircase with a smaller denominator, unless they are the same fraction.
  if (!over_all || over_all->c != 0 || over_all->a * stairs->b == stairs->a * over_all->b) offer(*stairs);
}

/// Whether factor*places + offset, all non-negative, stays below 2^63.
bool stays_small(int64_t factor, size_t places, int64_t offset) {
  int64_t product;
  return !__builtin_mul_overflow(factor, static_cast<int64_t>(places), &product) &&
         !__builtin_add_overflow(product, offset, &product);
}

/// The two values that `at` takes on begin … end - 1, if there are exactly two.
struct Pair {
  int64_t low, high;
};
template <class At>
std::optional<Pair> two_values(size_t begin, size_t end, At at) {
  int64_t first = at(begin);
  size_t i = begin + 1;
  while (i < end && at(i) == first) ++i;
  if (i >= end) return std::nullopt;
  int64_t second = at(i);
  for (; i < end; ++i)
    if (at(i) != first && at(i) != second) return std::nullopt;
  return Pair{std::min(first, second), std::max(first, second)};
}

/// v[k] = v[0] + low*k + unit*floor((a*k + c)/b).
void floor_forms(const Sequence& s, Pair steps, Shortest& best) {
  auto rises = [&](size_t i) { return wrap_sub(s.values[i], s.values[i - 1]) == steps.high; };
  int64_t unit = wrap_sub(steps.high, steps.low);
  const RankExpression& k = s.k();
  each_staircase(s, s.size(), rises, [&](const Staircase& stairs) {
    auto [a, b, c] = stairs;
    // A line plus k/b is left to the digits k%b and k/b, which say more.
    if (a > 1 || c > 0 || steps.low == 0)
      best.offer(line(k, steps.low, s.values[0]) + line(k, a, c) / b * constant(unit));
    auto whole_steps = exact_quotient(steps.low, unit);
    if (!whole_steps || !stays_small(static_cast<int64_t>(magnitude(*whole_steps)) + 1, s.size() * b, c))
      return;
    int64_t slope = a + *whole_steps * b;
    if (slope >= 0)
      best.offer(line(line(k, slope, c) / b, unit, s.values[0]));
    else
      best.offer(line(line(k, -slope, b - 1 - c) / b, wrap_sub(0, unit), s.values[0]));
  });
}

/// v[k] = least + unit*((a*k + c) % m).
void modular_forms(const Sequence& s, Pair steps, Shortest& best) {
  if (steps.low >= 0 || steps.high <= 0 || s.size() < 4) return;
  auto unit = static_cast<int64_t>(std::gcd(magnitude(steps.low), magnitude(steps.high)));
  int64_t a = steps.high / unit, back = static_cast<int64_t>(magnitude(steps.low)) / unit, m = 0,
          least = s.values[0];
  if (__builtin_add_overflow(a, back, &m) || !stays_small(m, s.size(), m)) return;
  for (int64_t v : s.values) least = std::min(least, v);
  int64_t start = wrap_sub(s.values[0], least) / unit;
  if (start < 0 || start >= m || (s.size() < 6 && a != 1)) return;
  for (int64_t w = start; int64_t v : s.values) {
    if (wrap_add(least, wrap_mul(w, unit)) != v) return;
    w += w >= m - a ? a - m : a;
  }
  s.effort->spend(3 * s.size());
  const RankExpression& k = s.k();
  RankExpression forward = line(k, a, start) % m;
  best.offer(line(forward, unit, least));
  int64_t turns = (back * static_cast<int64_t>(s.size() - 1) + m - 1) / m;
  RankExpression backward = (constant(start + turns * m) - k * constant(back)) % m;
  best.offer(line(backward, unit, least));
  // A shift by half the places may also be an exclusive or.
  if ((a == 1 || back == 1) && 2 * start != m) best.settle(best.expression());
}

/// v[k] = low + unit*(y[k+1] - y[k]); the staircase y rises after k where (a*k + c) % b >= b - a.
void size_forms(const Sequence& s, Pair values, Shortest& best) {
  auto rises = [&](size_t i) { return s.values[i - 1] == values.high; };
  int64_t unit = wrap_sub(values.high, values.low);
  each_staircase(s, s.size() + 1, rises, [&](const Staircase& stairs) {
    auto [a, b, c] = stairs;
    RankExpression rest = line(s.k(), a, c) % b;
    best.offer(line(RankExpression::at_least(rest, constant(b - a)), unit, values.low));
    best.offer(line(RankExpression::less(rest, constant(b - a)), wrap_sub(0, unit), values.high));
    if (a == 1) best.offer(line(RankExpression::equal(rest, constant(b - 1)), unit, values.low));
  });
}

}  // namespace

void staircase_forms(const Sequence& s, Shortest& best) {
  if (s.size() < 4) return;
  auto difference = [&](size_t i) { return wrap_sub(s.values[i], s.values[i - 1]); };
  if (auto steps = two_values(1, s.size(), difference)) {
    modular_forms(s, *steps, best);
    if (!best.settled() && s.size() >= 6) floor_forms(s, *steps, best);
  }
  auto value = [&](size_t i) { return s.values[i]; };
  if (best.settled() || s.size() < 8) return;
  if (auto values = two_values(0, s.size(), value)) size_forms(s, *values, best);
}

}  // namespace refrain::merge
