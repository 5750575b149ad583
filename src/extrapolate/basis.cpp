// See basis.hpp. Rows (1, φ1, φ2, … | v) are eliminated with integers, divided by their common factor after
// each step; a coefficient is known if, in the end, its row has no other unknown in it. Most series need a
// handful of rows to settle all coefficients, and all others are checked by evaluating the law.
#include "extrapolate/basis.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/wide.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
namespace {

constexpr size_t most_terms = 4;  ///< including the constant
constexpr Wide largest_entry = Wide{1} << 62;

using Row = std::array<Wide, most_terms + 1>;

Wide common_factor(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

void reduce(Row& row) {
  Wide factor = 0;
  for (Wide x : row) factor = common_factor(factor, x);
  if (factor > 1)
    for (Wide& x : row) x /= factor;
}

/// Subtracts a multiple of `by` from `row` so that its entry at `pivot` vanishes; false if numbers get too
/// large.
bool eliminate(Row& row, const Row& by, size_t pivot) {
  Wide factor = row[pivot], scale = by[pivot];
  if (factor == 0) return true;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] > largest_entry || row[i] < -largest_entry || by[i] > largest_entry || by[i] < -largest_entry)
      return false;
    row[i] = wide_product(row[i], scale) - wide_product(by[i], factor);
  }
  reduce(row);
  return true;
}

struct Elimination {
  std::vector<Row> rows;
  std::vector<size_t> pivots;

  /// False if the rows contradict each other.
  bool add(Row row, size_t unknowns) {
    for (size_t i = 0; i < rows.size(); ++i)
      if (!eliminate(row, rows[i], pivots[i])) return false;
    size_t pivot = 0;
    while (pivot < unknowns && row[pivot] == 0) ++pivot;
    if (pivot == unknowns) return row[unknowns] == 0;
    for (Row& before : rows)
      if (!eliminate(before, row, pivot)) return false;
    rows.push_back(row);
    pivots.push_back(pivot);
    return true;
  }
};

RankExpression sum_of(const std::vector<RankExpression>& basis, const std::vector<RankExpression>& factors) {
  RankExpression sum;
  for (size_t j = 0; j < basis.size(); ++j) sum = sum + basis[j] * factors[j + 1];
  return sum + factors[0];
}

}  // namespace

bool holds(const RankExpression& law, const Sequence& s) {
  for (const Series& series : s.series)
    for (size_t k = 0; k < series.places.size(); ++k)
      if (law.at(RankExpression::Point{.rank = series.places[k], .nprocs = series.nprocs}) !=
          series.values[k])
        return false;
  return true;
}

std::optional<Factors> solve(std::span<const Series> all, const std::vector<RankExpression>& basis) {
  size_t unknowns = basis.size() + 1;
  Elimination system;
  for (const Series& series : all)
    for (size_t k = 0; k < series.places.size(); ++k) {
      Row row{1};
      for (size_t j = 0; j < basis.size(); ++j)
        row[j + 1] = basis[j].at(RankExpression::Point{.rank = series.places[k], .nprocs = series.nprocs});
      row[unknowns] = series.values[k];
      if (!system.add(row, unknowns)) return std::nullopt;
    }
  Factors factors(unknowns);
  for (size_t i = 0; i < system.rows.size(); ++i) {
    const Row& row = system.rows[i];
    size_t pivot = system.pivots[i];
    bool alone = true;
    for (size_t j = 0; j < unknowns; ++j) alone &= j == pivot || row[j] == 0;
    if (!alone) continue;
    if (row[unknowns] % row[pivot] != 0) return std::nullopt;
    factors[pivot] = static_cast<int64_t>(row[unknowns] / row[pivot]);
  }
  return factors;
}

namespace {

/// The simplest case, which may be the only one that can be told: factors that don't depend on the number of
/// ranks.
bool offer_constants(const Sequence& s, const std::vector<RankExpression>& basis, int cost,
                     std::vector<Candidate>& found) {
  if (basis.empty()) return false;
  auto factors = solve(s.series, basis);
  if (!factors) return false;
  std::vector<RankExpression> constants;
  for (size_t j = 0; j < factors->size(); ++j) {
    const std::optional<int64_t>& factor = (*factors)[j];
    if (!factor || (j > 0 && *factor == 0)) return false;
    constants.push_back(RankExpression::constant(*factor));
  }
  RankExpression law = sum_of(basis, constants);
  if (!holds(law, s)) return false;
  int spare = static_cast<int>(distinct_sizes(s)) - 1;
  found.push_back({law, cost + (spare < 2 ? unconfirmed : 0), spare});
  return true;
}

}  // namespace

void fit_basis(const Sequence& s, const std::vector<RankExpression>& basis, int cost,
               const Features& features, std::vector<Candidate>& found) {
  if (offer_constants(s, basis, cost, found)) return;
  std::vector<std::vector<Observation>> seen(basis.size() + 1);
  for (const Series& series : s.series) {
    auto factors = solve(std::span(&series, 1), basis);
    if (!factors) return;
    for (size_t j = 0; j < seen.size(); ++j)
      if ((*factors)[j]) seen[j].push_back({series.nprocs, *(*factors)[j]});
  }
  std::vector<std::vector<Candidate>> laws;
  for (size_t j = 0; j < seen.size(); ++j) {
    laws.push_back(fit_scalar(seen[j], features));
    if (laws.back().empty()) return;
    bool idle = j > 0 && laws.back()[0].law.is_constant(0);
    if (idle) return;  // a simpler shape says the same
  }
  auto offer = [&](size_t varied, size_t choice) {
    std::vector<RankExpression> factors;
    Candidate c{.cost = cost, .spare = INT32_MAX};
    for (size_t j = 0; j < laws.size(); ++j) {
      const Candidate& chosen = laws[j][j == varied ? choice : 0];
      factors.push_back(chosen.law);
      c.cost += chosen.cost;
      c.spare = std::min(c.spare, chosen.spare);
    }
    c.law = sum_of(basis, factors);
    if (holds(c.law, s)) found.push_back(std::move(c));
  };
  offer(laws.size(), 0);
  for (size_t j = 0; j < laws.size(); ++j)
    for (size_t choice = 1; choice < laws[j].size(); ++choice) offer(j, choice);
}

}  // namespace refrain::extrapolate
