// Products of functions of digits. The volume of an uneven block in a grid is X(x)*Y(y)*Z(z): cut into rows
// of m values, all rows are multiples of one:
//
//   6 6 4 | 6 6 4 | 3 3 2         row 6 6 4 over 2, times 2 2 1
//
// The running sum of such volumes, where each rank's data starts if they lie one behind the other, is not a
// product, but its rows are all images of one under a scale and a shift:
//
//   0 6 12 | 16 22 28 | 32 35 38    row 0 3 6, scaled by 2 2 1, shifted by 0 16 32
//
// Shifts, scales and row are fitted by themselves, and the shifts of three dimensions are a running sum of
// two again.
#include <algorithm>
#include <numeric>

#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

/// The lengths that rows may have. The last rank is often left out, so one more value may be assumed.
std::vector<size_t> row_lengths(size_t size) {
  std::vector<size_t> lengths = proper_divisors(size), with_one_more = proper_divisors(size + 1);
  lengths.insert(lengths.end(), with_one_more.begin(), with_one_more.end());
  return lengths;
}

/// v[k] = row[k%m] * column[k/m].
struct Factors {
  std::vector<int64_t> row, column;
};

/// Whether the first values don't contradict v[k] * v[pivot] = (in the pivot's row) * (in its column).
bool may_factor(std::span<const int64_t> v, size_t m, size_t pivot) {
  constexpr size_t glance = 64;
  size_t row = pivot - pivot % m, end = std::min(v.size() - v.size() % m, row + m + glance);
  for (size_t i = row + m; i < end; ++i)
    if (wrap_mul(v[i], v[pivot]) != wrap_mul(v[row + i % m], v[i - i % m + pivot % m])) return false;
  return true;
}

std::optional<Factors> factors_of(const Sequence& s, size_t m, size_t pivot) {
  std::span<const int64_t> v = s.values;
  size_t row_start = pivot - pivot % m;
  if (row_start + m > v.size() || !may_factor(v, m, pivot)) return std::nullopt;
  std::vector<int64_t> row(v.begin() + static_cast<std::ptrdiff_t>(row_start),
                           v.begin() + static_cast<std::ptrdiff_t>(row_start + m));
  std::vector<int64_t> column = column_of(v, pivot % m, m);
  if (column.size() * m < v.size()) return std::nullopt;
  Grid grid = grid_of(row);
  auto unit = static_cast<int64_t>(std::max<uint64_t>(1, std::gcd(grid.unit, magnitude(grid.least))));
  if (unit < 1) return std::nullopt;
  for (int64_t& x : row) x /= unit;
  int64_t at_pivot = v[pivot] / unit;
  for (int64_t& x : column) {
    auto quotient = exact_quotient(x, at_pivot);
    if (!quotient) return std::nullopt;
    x = *quotient;
  }
  for (size_t i = 0; i < v.size(); ++i) {
    if (v[i] == wrap_mul(row[i % m], column[i / m])) continue;
    s.effort->spend(i);
    return std::nullopt;
  }
  s.effort->spend(2 * v.size());
  return Factors{std::move(row), std::move(column)};
}

/// v[k] = shifts[k/m] + scales[k/m] * row[k%m].
struct ScaledRows {
  std::vector<int64_t> shifts, scales, row;
};

/// Whether the start of the second row doesn't contradict that it is an image of the first one.
bool may_be_scaled(std::span<const int64_t> v, size_t m) {
  constexpr size_t glance = 64;
  size_t pivot = 1, end = std::min({m, v.size() - m, glance});
  while (pivot < end && v[pivot] == v[0]) ++pivot;
  for (size_t j = pivot; j < end; ++j) {
    int64_t scaled = wrap_mul(wrap_sub(v[m + j], v[m]), wrap_sub(v[pivot], v[0]));
    if (scaled != wrap_mul(wrap_sub(v[m + pivot], v[m]), wrap_sub(v[j], v[0]))) return false;
  }
  return true;
}

std::optional<ScaledRows> scaled_rows_of(const Sequence& s, size_t m) {
  std::span<const int64_t> v = s.values;
  if (!may_be_scaled(v, m)) return std::nullopt;
  std::vector<int64_t> row(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(m));
  auto unit = static_cast<int64_t>(grid_of(row).unit);
  if (unit < 1) return std::nullopt;
  for (int64_t& x : row) x = wrap_sub(x, v[0]) / unit;
  auto pivot = static_cast<size_t>(std::find_if(row.begin(), row.end(), [](int64_t x) { return x != 0; }) -
                                   row.begin());
  ScaledRows rows{{}, {}, std::move(row)};
  for (size_t start = 0; start < v.size(); start += m) {
    s.effort->spend(m);
    if (start + pivot >= v.size()) return std::nullopt;
    auto scale = exact_quotient(wrap_sub(v[start + pivot], v[start]), rows.row[pivot]);
    if (!scale) return std::nullopt;
    for (size_t i = start; i < std::min(v.size(), start + m); ++i)
      if (v[i] != wrap_add(v[start], wrap_mul(*scale, rows.row[i - start]))) return std::nullopt;
    rows.shifts.push_back(v[start]);
    rows.scales.push_back(*scale);
  }
  return rows;
}

}  // namespace

void product_forms(const Sequence& s, unsigned depth, Shortest& best) {
  if (s.size() < (depth == 0 ? 6 : 4)) return;
  auto nonzero = std::find_if(s.values.begin(), s.values.end(), [](int64_t v) { return v != 0; });
  auto pivot = static_cast<size_t>(nonzero - s.values.begin());
  for (size_t m : row_lengths(s.size())) {
    if (s.effort->exhausted()) return;
    auto factors = factors_of(s, m, pivot);
    if (!factors) continue;
    Shortest low = fit({factors->row, s.place.modulo(m), s.effort}, depth + 1);
    if (!low.good(SIZE_MAX)) continue;
    Shortest high = fit({factors->column, s.place.quotient(m), s.effort}, depth + 1);
    if (!high.good(SIZE_MAX)) continue;
    best.offer(low.expression() * high.expression());
    return;
  }
}

void scaled_row_forms(const Sequence& s, unsigned depth, Shortest& best) {
  if (s.size() < 8) return;
  for (size_t m : row_lengths(s.size())) {
    if (s.effort->exhausted()) return;
    auto rows = m > 2 ? scaled_rows_of(s, m) : std::nullopt;
    if (!rows) continue;
    Place low = s.place.modulo(m), high = s.place.quotient(m);
    Shortest row = fit({rows->row, low, s.effort}, depth + 1);
    if (!row.good(SIZE_MAX)) continue;
    Shortest scales = fit({rows->scales, high, s.effort}, depth + 1);
    if (!scales.good(SIZE_MAX)) continue;
    Shortest shifts = fit({rows->shifts, high, s.effort}, depth + 1);
    if (!shifts.good(SIZE_MAX)) continue;
    best.offer(row.expression() * scales.expression() + shifts.expression());
    return;
  }
}

}  // namespace refrain::merge
