// Digits. A rank in a grid of blocks is a number in mixed radix: x = r%16, y = r/16%16, z = r/256, and what
// depends on the place in the grid is often a sum f(x) + g(y) + h(z). The sequence, cut into rows of m
// values, is f(k%m) + g(k/m) if all rows are alike but for a shift:
//
//   0 60 120 | 900 960 1020 | 1800 …      m = 3: the row is k%3*60, the shifts are k/3*900
//
// f and g are sequences again, shorter ones, and are fitted the same way. Good candidates for m are the
// length of the first stretch that lies on a line, and the period of the differences; only if these don't
// lead to something closed, or the sequence is short, all divisors of its length are tried. An f or g without
// a closed form stays a table: that is where periodic tables come from.
#include <algorithm>

#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::RankExpression;
using trace::wrap_add;
using trace::wrap_sub;

/// Sequences up to this size are cheap enough to try all divisors.
constexpr size_t short_sequence = 4096;
constexpr size_t most_radices = 6;

/// Whether all rows of m values equal the first one but for a shift.
bool rows_are_alike(const Sequence& s, size_t m) {
  std::span<const int64_t> v = s.values;
  for (size_t row = m; row < v.size(); row += m) {
    int64_t shift = wrap_sub(v[row], v[0]);
    size_t end = std::min(v.size(), row + m);
    for (size_t i = row + 1; i < end; ++i) {
      if (wrap_sub(v[i], v[i - row]) == shift) continue;
      s.effort->spend(i);
      return false;
    }
  }
  s.effort->spend(v.size());
  return true;
}

/// row[k%m] + shifts[k/m]; the row is shifted so that its least value is 0, or if it stays a table, so that
/// it reads as the sequence does.
struct Summands {
  std::vector<int64_t> row, shifts;
  void move(int64_t amount) {
    for (int64_t& v : row) v = wrap_sub(v, amount);
    for (int64_t& v : shifts) v = wrap_add(v, amount);
  }
};

/// Whether the sequence is a sum of functions of k%m and k/m; if so, offers it.
bool try_radix(const Sequence& s, size_t m, unsigned depth, Shortest& best) {
  if (s.effort->exhausted() || !rows_are_alike(s, m)) return false;
  Summands parts{{s.values.begin(), s.values.begin() + static_cast<std::ptrdiff_t>(m)},
                 column_of(s.values, 0, m)};
  for (int64_t& v : parts.shifts) v = wrap_sub(v, s.values[0]);
  int64_t least = *std::min_element(parts.row.begin(), parts.row.end());
  parts.move(least);
  Place place = s.place.modulo(m);
  Shortest low = fit_or_table({parts.row, place, s.effort}, depth + 1);
  if (!low.found()) return true;
  if (low.expression().operation() == trace::Operation::table) {
    parts.move(wrap_sub(0, least));
    low = Shortest();
    low.offer(RankExpression::lookup(trace::Column::of(parts.row), place.whole()));
  }
  Shortest high = fit_or_table({parts.shifts, s.place.quotient(m), s.effort}, depth + 1);
  if (high.found() && 2 * (low.tabled() + high.tabled()) <= s.size())
    best.offer(low.expression() + high.expression());
  return true;
}

bool closed(const Shortest& best) { return best.good(SIZE_MAX); }

}  // namespace

std::vector<int64_t> column_of(std::span<const int64_t> v, size_t first, size_t m) {
  std::vector<int64_t> column;
  column.reserve(v.size() / m + 1);
  for (size_t i = first; i < v.size(); i += m) column.push_back(v[i]);
  return column;
}

// Knuth, Morris and Pratt on the differences: the period is what the longest border leaves.
size_t period_of(std::span<const int64_t> v) {
  if (v.size() < 2) return v.size();
  size_t n = v.size() - 1;
  auto difference = [&](size_t i) { return wrap_sub(v[i + 1], v[i]); };
  std::vector<uint32_t> border(n, 0);
  for (size_t i = 1, k = 0; i < n; ++i) {
    while (k > 0 && difference(i) != difference(k)) k = border[k - 1];
    if (difference(i) == difference(k)) ++k;
    border[i] = static_cast<uint32_t>(k);
  }
  return n - border[n - 1];
}

void radix_forms(const Sequence& s, unsigned depth, Shortest& best) {
  size_t n = s.size(), stretch = first_line(s.values);
  bool short_enough = n <= short_sequence && depth == 0;
  if (stretch > 1 && stretch < n && try_radix(s, stretch, depth, best) && closed(best) && !short_enough)
    return;
  size_t period = period_of(s.values);
  s.effort->spend(4 * n);
  if (period > 1 && 2 * period <= n && period != stretch) try_radix(s, period, depth, best);
  if (closed(best) && !short_enough) return;
  size_t taken = 0;
  for (size_t m : proper_divisors(n)) {
    if (m == stretch || m == period) continue;
    if (try_radix(s, m, depth, best) && ++taken == most_radices) break;
  }
}

}  // namespace refrain::merge
