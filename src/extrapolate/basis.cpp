// See basis.hpp. Rows (1, φ1, φ2, … | v) are eliminated with integers, divided by their common factor after
// each step; a coefficient is known if, in the end, its row has no other unknown in it. Most series need a
// handful of rows to settle all coefficients, and the others only have to agree. Each run is looked at by
// itself first, beginning with a few ranks of the largest: there most shapes fail. With a single φ, as most
// shapes have, rows are points of a line, and two of them settle it.
#include "extrapolate/basis.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/wide.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
namespace {

constexpr size_t most_terms = 4;  ///< including the constant
constexpr Wide largest_entry = Wide{1} << 62;

using Row = std::array<Wide, most_terms + 1>;
/// c0, c1, …; those that could be anything are left empty.
using Factors = std::array<std::optional<int64_t>, most_terms>;

Wide common_factor(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  if (a <= INT64_MAX && b <= INT64_MAX) return std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b));
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

void reduce(Row& row) {
  Wide factor = 0;
  for (Wide x : row) {
    factor = common_factor(factor, x);
    if (factor == 1) return;
  }
  if (factor > 1)
    for (Wide& x : row) x /= factor;
}

bool too_large(Wide x) { return x > largest_entry || x < -largest_entry; }

/// Subtracts a multiple of `by` from `row` so that its entry at `pivot` vanishes; false if numbers get too
/// large.
bool eliminate(Row& row, const Row& by, size_t pivot) {
  Wide factor = row[pivot], scale = by[pivot];
  if (factor == 0) return true;
  for (size_t i = 0; i < row.size(); ++i) {
    if (too_large(row[i]) || too_large(by[i])) return false;
    row[i] = wide_product(row[i], scale) - wide_product(by[i], factor);
  }
  reduce(row);
  return true;
}

class Elimination {
 public:
  explicit Elimination(size_t unknowns) : unknowns_(unknowns) {}

  /// False if the rows contradict each other, or have no solution in integers.
  bool add(Row row) {
    if (count_ == unknowns_) return agrees(row);
    for (size_t i = 0; i < count_; ++i)
      if (!eliminate(row, rows_[i], pivots_[i])) return false;
    size_t pivot = 0;
    while (pivot < unknowns_ && row[pivot] == 0) ++pivot;
    if (pivot == unknowns_) return row[unknowns_] == 0;
    for (size_t i = 0; i < count_; ++i)
      if (!eliminate(rows_[i], row, pivot)) return false;
    rows_[count_] = row;
    pivots_[count_++] = pivot;
    return count_ < unknowns_ || settle();
  }

  /// The same for all rows of another system.
  bool add(const Elimination& other) {
    return std::all_of(other.rows_.begin(), other.rows_.begin() + static_cast<std::ptrdiff_t>(other.count_),
                       [&](const Row& row) { return add(row); });
  }

  /// Nothing if one isn't an integer.
  std::optional<Factors> factors() const {
    Factors known;
    for (size_t i = 0; i < count_; ++i) {
      const Row& row = rows_[i];
      bool alone = true;
      for (size_t j = 0; j < unknowns_; ++j) alone &= j == pivots_[i] || row[j] == 0;
      if (!alone) continue;
      if (row[unknowns_] % row[pivots_[i]] != 0) return std::nullopt;
      known[pivots_[i]] = static_cast<int64_t>(row[unknowns_] / row[pivots_[i]]);
    }
    return known;
  }

 private:
  /// All factors are known: what is left to do is to compare.
  bool settle() {
    for (size_t i = 0; i < count_; ++i) {
      Wide whole = rows_[i][unknowns_], part = rows_[i][pivots_[i]];
      if (whole % part != 0) return false;
      settled_[pivots_[i]] = whole / part;
    }
    return true;
  }

  bool agrees(const Row& row) const {
    Wide rest = row[unknowns_];
    for (size_t j = 0; j < unknowns_; ++j) {
      if (too_large(row[j]) || too_large(settled_[j])) return false;
      rest -= wide_product(row[j], settled_[j]);
    }
    return rest == 0;
  }

  size_t unknowns_, count_ = 0;
  std::array<Row, most_terms> rows_;
  std::array<size_t, most_terms> pivots_;
  std::array<Wide, most_terms> settled_;  ///< the factors, once all are known
};

/// The same for rows (1, φ | v): the points of a line v = c0 + c1·φ.
class Line {
 public:
  explicit Line(size_t) {}

  bool add(const Row& row) { return pass({row[1], row[2]}); }

  bool add(const Line& other) {
    return std::all_of(other.points_.begin(), other.points_.begin() + other.count_,
                       [&](const Point& p) { return pass(p); });
  }

  std::optional<Factors> factors() const {
    Factors known;
    if (count_ == 2) {
      known[0] = static_cast<int64_t>(base_);
      known[1] = static_cast<int64_t>(slope_);
    } else if (count_ == 1 && points_[0].x == 0) {
      known[0] = static_cast<int64_t>(points_[0].y);
    }
    return known;
  }

 private:
  struct Point {
    Wide x = 0, y = 0;
  };

  bool pass(const Point& p) {
    if (count_ == 0) {
      points_[count_++] = p;
      return true;
    }
    if (too_large(p.x) || too_large(p.y)) return false;
    if (count_ == 2) return base_ + wide_product(slope_, p.x) == p.y;
    const Point& first = points_[0];
    if (too_large(first.x) || too_large(first.y)) return false;
    if (p.x == first.x) return p.y == first.y;
    Wide dx = p.x - first.x, dy = p.y - first.y;
    if (dy % dx != 0) return false;
    slope_ = dy / dx;
    base_ = first.y - wide_product(slope_, first.x);
    points_[count_++] = p;
    return !too_large(base_);
  }

  std::ptrdiff_t count_ = 0;  ///< of points that differ in x
  std::array<Point, 2> points_;
  Wide base_ = 0, slope_ = 0;
};

/// Adds the first n rows of one series.
template <class System>
bool add_rows(const Series& series, size_t n, const std::vector<RankExpression>& basis, System& system) {
  size_t unknowns = basis.size() + 1;
  constexpr size_t at_once = 64;
  std::array<std::array<int64_t, at_once>, most_terms> columns;
  for (size_t done = 0; done < n; done += at_once) {
    size_t some = std::min(at_once, n - done);
    for (size_t j = 0; j < basis.size(); ++j)
      basis[j].evaluate(std::span(series.places).subspan(done, some), columns[j], series.nprocs);
    for (size_t k = 0; k < some; ++k) {
      Row row{1};
      for (size_t j = 0; j < basis.size(); ++j) row[j + 1] = columns[j][k];
      row[unknowns] = series.values[done + k];
      if (!system.add(row)) return false;
    }
  }
  return true;
}

/// Whether the first few values contradict each other, as they do for most shapes.
template <class System>
bool fails_soon(const Series& series, const std::vector<RankExpression>& basis) {
  constexpr size_t few = 8;
  System system(basis.size() + 1);
  return series.places.size() > few && !add_rows(series, few, basis, system);
}

RankExpression sum_of(const std::vector<RankExpression>& basis, const std::vector<RankExpression>& factors) {
  RankExpression sum;
  for (size_t j = 0; j < basis.size(); ++j) sum = sum + basis[j] * factors[j + 1];
  return sum + factors[0];
}

}  // namespace

bool holds(const RankExpression& law, const Sequence& s) {
  constexpr size_t at_once = 64;
  std::array<int64_t, at_once> values;
  for (const Series& series : s.series)
    for (size_t done = 0; done < series.places.size(); done += at_once) {
      size_t some = std::min(at_once, series.places.size() - done);
      law.evaluate(std::span(series.places).subspan(done, some), values, series.nprocs);
      if (!std::equal(values.begin(), values.begin() + some, series.values.begin() + done)) return false;
    }
  return true;
}

namespace {

/// In how many runs the form makes a difference: has another value than it usually has.
int runs_that_show(const RankExpression& form, const Sequence& s) {
  std::map<int64_t, size_t> often;
  std::vector<std::set<int64_t>> by_run;
  for (const Series& series : s.series) {
    std::set<int64_t>& here = by_run.emplace_back();
    for (uint32_t k : series.places) {
      int64_t v = form.at(RankExpression::Point{.rank = k, .nprocs = series.nprocs});
      here.insert(v);
      ++often[v];
    }
  }
  auto rarer = [](const auto& a, const auto& b) { return a.second < b.second; };
  int64_t usual = std::max_element(often.begin(), often.end(), rarer)->first;
  return static_cast<int>(std::count_if(by_run.begin(), by_run.end(), [&](const std::set<int64_t>& values) {
    return values.size() > 1 || *values.begin() != usual;
  }));
}

/// The simplest case, which may be the only one that can be told: factors that don't depend on the number of
/// ranks.
bool offer_constants(const Sequence& s, const std::vector<RankExpression>& basis, int cost,
                     const std::optional<Factors>& factors, std::vector<Candidate>& found) {
  if (basis.empty() || !factors) return false;
  std::vector<RankExpression> constants;
  for (size_t j = 0; j <= basis.size(); ++j) {
    const std::optional<int64_t>& factor = (*factors)[j];
    if (!factor || (j > 0 && *factor == 0)) return false;
    constants.push_back(RankExpression::constant(*factor));
  }
  int spare = static_cast<int>(distinct_sizes(s)) - 1;
  for (const RankExpression& form : basis)
    if (runs_that_show(form, s) < 2) spare = 0;
  found.push_back({sum_of(basis, constants), cost + (spare < 2 ? unconfirmed : 0), spare});
  return true;
}

/// What the factors are in each run, as far as it shows them.
struct Solved {
  std::array<std::vector<Observation>, most_terms> seen{};
  bool all_known = true;
  std::optional<Factors> together{};  ///< if they are the same in all runs
};

template <class System>
std::optional<Solved> solve(const Sequence& s, const std::vector<RankExpression>& basis) {
  if (fails_soon<System>(s.series.back(), basis)) return std::nullopt;
  System together(basis.size() + 1);
  Solved out;
  bool agree = true;
  for (const Series& series : s.series) {
    System system(basis.size() + 1);
    if (!add_rows(series, series.places.size(), basis, system)) return std::nullopt;
    std::optional<Factors> factors = system.factors();
    if (!factors) return std::nullopt;
    for (size_t j = 0; j <= basis.size(); ++j) {
      out.all_known &= (*factors)[j].has_value();
      if ((*factors)[j]) out.seen[j].push_back({series.nprocs, *(*factors)[j]});
    }
    agree = agree && together.add(system);
  }
  if (agree) out.together = together.factors();
  return out;
}

}  // namespace

namespace {

/// What runs don't show of a factor by themselves, if another one is the same in all runs that show it: of a
/// single rank's c0 + c1*rank, c1 is known where c0 is 0. False if nothing is learned so.
bool complete(const Sequence& s, const std::vector<RankExpression>& basis, const Features& features,
              Solved& solved) {
  size_t unknowns = basis.size() + 1;
  std::vector<Row> constants;
  for (size_t j = 0; j < unknowns; ++j) {
    const std::vector<Observation>& seen = solved.seen[j];
    if (seen.empty() || seen.size() == s.series.size()) continue;
    const std::vector<Candidate>& laws = fit_scalar(seen, features);
    if (laws.empty() || !laws[0].law.is_constant()) continue;
    Row& row = constants.emplace_back(Row{});
    row[j] = 1;
    row[unknowns] = laws[0].law.number();
  }
  if (constants.empty()) return false;
  Solved more;
  for (const Series& series : s.series) {
    Elimination system(unknowns);
    if (!add_rows(series, series.places.size(), basis, system)) return false;
    if (!std::all_of(constants.begin(), constants.end(), [&](const Row& row) { return system.add(row); }))
      return false;
    std::optional<Factors> factors = system.factors();
    if (!factors) return false;
    for (size_t j = 0; j < unknowns; ++j) {
      more.all_known &= (*factors)[j].has_value();
      if ((*factors)[j]) more.seen[j].push_back({series.nprocs, *(*factors)[j]});
    }
  }
  solved = std::move(more);
  return true;
}

/// Offers sums with factors that have laws; false if there is none.
bool offer_sums(const Sequence& s, const std::vector<RankExpression>& basis, const ShapeCost& shape,
                const Features& features, const Solved& solved, std::vector<Candidate>& found) {
  size_t before = found.size();
  std::vector<std::span<const Candidate>> laws;
  for (size_t j = 0; j <= basis.size(); ++j) {
    laws.emplace_back(fit_scalar(solved.seen[j], features));
    if (laws.back().empty()) return false;
    bool idle = j > 0 && laws.back()[0].law.is_constant(0);
    if (idle) return true;  // a simpler shape says the same
  }
  auto offer = [&](size_t varied, size_t choice) {
    Candidate c{.cost = shape.cost, .spare = INT32_MAX};
    for (size_t j = 0; j < laws.size(); ++j) {
      const Candidate& chosen = laws[j][j == varied ? choice : 0];
      c.cost += chosen.cost;
      c.spare = std::min(c.spare, chosen.spare);
    }
    if (c.cost > shape.limit) return;
    std::vector<RankExpression> factors;
    for (size_t j = 0; j < laws.size(); ++j) factors.push_back(laws[j][j == varied ? choice : 0].law);
    c.law = sum_of(basis, factors);
    // Where all factors are known in all runs, their laws give them, and so every value.
    if (solved.all_known || holds(c.law, s)) found.push_back(std::move(c));
  };
  offer(laws.size(), 0);
  for (size_t j = 0; j < laws.size(); ++j)
    for (size_t choice = 1; choice < laws[j].size(); ++choice) offer(j, choice);
  return found.size() > before;
}

}  // namespace

std::optional<std::vector<int64_t>> same_factors(const Sequence& s, const std::vector<RankExpression>& basis,
                                                 int64_t base) {
  size_t unknowns = basis.size() + 1;
  Elimination system(unknowns);
  Row constant{1};
  constant[unknowns] = base;
  if (!system.add(constant)) return std::nullopt;
  for (const Series& series : s.series)
    if (!add_rows(series, series.places.size(), basis, system)) return std::nullopt;
  std::optional<Factors> factors = system.factors();
  if (!factors) return std::nullopt;
  std::vector<int64_t> out;
  for (size_t j = 1; j < unknowns; ++j) {
    if (!(*factors)[j]) return std::nullopt;
    out.push_back(*(*factors)[j]);
  }
  return out;
}

void fit_basis(const Sequence& s, const std::vector<RankExpression>& basis, const ShapeCost& shape,
               const Features& features, std::vector<Candidate>& found) {
  if (shape.cost > shape.limit) return;
  std::optional<Solved> solved = basis.size() == 1 ? solve<Line>(s, basis) : solve<Elimination>(s, basis);
  if (!solved || offer_constants(s, basis, shape.cost, solved->together, found)) return;
  if (offer_sums(s, basis, shape, features, *solved, found) || solved->all_known) return;
  if (complete(s, basis, features, *solved)) offer_sums(s, basis, shape, features, *solved, found);
}

}  // namespace refrain::extrapolate
