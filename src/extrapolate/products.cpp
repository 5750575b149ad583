// Shares of several totals, one per dimension of a grid. The size of a block is their product and an offset
// the sum of where they begin. All places together would show each of them (digits.cpp), but behind a
// condition few ranks are left. What is left over shows the totals all the same:
//
//     places of a 3 x 2 grid that have a value     1      3      5
//     size                                        334*50 333*50 333*50
//
// Values of places that differ in one digit alone are a line: the ratio of its values is that of the shares
// along this dimension, whatever the others are. 334 and 333 are neighbors, so they are shares of 1000 or
// little less or more, and which of these it is other lines tell, in this run and in others. If all lines of
// a dimension have the ratios that a form of sharing says, it is a factor; what all factors leave of the
// values has to be the same on all ranks of a run.
//
// Dimensions along which no line changes are left: how much each of their places has is a quotient. Of two
// runs whose grids differ in one such dimension only, the ratio tells what is shared there, but for a factor.
//
// Where shares begin follows from the totals that sizes have shown, as long as lines rise by what these say.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "base/wide.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/price.hpp"
#include "extrapolate/scalar.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

constexpr size_t most_factors = 8;   ///< shares of a dimension, laws of what is left
constexpr int64_t most_totals = 96;  ///< that are tried where a ratio leaves several

int64_t value_at(const RankExpression& e, int64_t nprocs) {
  return e.at(RankExpression::Point{.nprocs = nprocs});
}

/// A dimension of a grid: how long it is, and where along it a place is.
struct Axis {
  RankExpression extent{}, digit{};
};
using Grid = std::vector<Axis>;

/// Grids as MPI_Dims_create makes them, by rows and by columns.
std::vector<Grid> possible_grids() {
  std::vector<Grid> grids;
  for (int64_t dimensions : {2, 3})
    for (bool by_rows : {true, false}) {
      Grid& grid = grids.emplace_back();
      RankExpression rest = place();
      for (int64_t i = 0; i < dimensions; ++i) {
        int64_t which = by_rows ? dimensions - 1 - i : i;
        RankExpression extent = RankExpression::grid(RankExpression::nprocs(), dimensions, which);
        bool outermost = i + 1 == dimensions;
        grid.push_back({extent, outermost ? rest : RankExpression::remainder(rest, extent)});
        rest = RankExpression::quotient(rest, extent);
      }
    }
  return grids;
}

/// Values by the place they are at.
using ByRun = std::vector<std::vector<int64_t>>;

/// Places of a run that differ in one digit alone, as positions in its series.
struct GridLine {
  size_t run = 0;
  std::vector<size_t> positions{};
};

/// A sequence in a grid.
class Placed {
 public:
  Placed(const Sequence& s, const Grid& grid) : sequence_(s), grid_(grid) {
    for (const Axis& axis : grid) digits_.push_back(values_of(axis.digit));
    for (size_t a = 0; a < grid.size(); ++a) find_lines(a);
  }

  const Sequence& sequence() const { return sequence_; }
  const Grid& grid() const { return grid_; }
  const std::vector<GridLine>& lines(size_t axis) const { return lines_[axis]; }
  int64_t digit(size_t axis, size_t run, size_t i) const { return digits_[axis][run][i]; }
  int64_t value(size_t run, size_t i) const { return sequence_.series[run].values[i]; }
  int64_t extent(size_t axis, size_t run) const {
    return value_at(grid_[axis].extent, sequence_.series[run].nprocs);
  }

  ByRun values_of(const RankExpression& law) const {
    ByRun all;
    for (const Series& series : sequence_.series) {
      std::vector<int64_t>& here = all.emplace_back(series.places.size());
      law.evaluate(series.places, here, series.nprocs);
    }
    return all;
  }

  /// Whether no line changes along it.
  bool is_flat(size_t axis) const {
    return std::all_of(lines_[axis].begin(), lines_[axis].end(), [&](const GridLine& line) {
      return std::all_of(line.positions.begin(), line.positions.end(),
                         [&](size_t i) { return value(line.run, i) == value(line.run, line.positions[0]); });
    });
  }

 private:
  void find_lines(size_t axis) {
    std::vector<GridLine>& out = lines_.emplace_back();
    for (size_t run = 0; run < sequence_.series.size(); ++run) {
      std::map<std::array<int64_t, 2>, std::vector<size_t>> by_others;
      for (size_t i = 0; i < sequence_.series[run].places.size(); ++i) {
        std::array<int64_t, 2> others{};
        for (size_t a = 0, n = 0; a < grid_.size(); ++a)
          if (a != axis) others[n++] = digit(a, run, i);
        by_others[others].push_back(i);
      }
      for (auto& [others, positions] : by_others)
        if (positions.size() > 1) out.push_back({run, std::move(positions)});
    }
  }

  const Sequence& sequence_;
  const Grid& grid_;
  std::vector<ByRun> digits_;                 ///< by dimension
  std::vector<std::vector<GridLine>> lines_;  ///< by dimension
};

int cost_of_total(int64_t total) { return 1 + price_of_number(total); }

/// The factor that one dimension may be.
struct Factor {
  RankExpression law{};
  ByRun values{};
  int cost = 0;
};

/// Looks for the shares along one dimension.
class Sharing {
 public:
  Sharing(const Placed& placed, size_t axis, const Knowledge& knowledge)
      : placed_(placed), axis_(axis), knowledge_(knowledge) {}

  std::vector<Factor> factors() {
    for (const GridLine& line : placed_.lines(axis_)) look_at(line);
    std::map<int64_t, int> totals;
    for (const auto& [total, parts] : knowledge_.shares)
      if (counts_parts(parts)) totals.emplace(total, 0);
    if (shown_ && least_ <= most_ && most_ - least_ < most_totals)
      for (Wide t = least_; t <= most_; ++t)
        totals.emplace(static_cast<int64_t>(t), cost_of_total(static_cast<int64_t>(t)));
    if (multiple_ > 1)
      for (int64_t m : {1, 2, 3, 4}) totals.emplace(multiple_ * m, cost_of_total(multiple_ * m));
    std::vector<Factor> found;
    for (auto [total, cost] : totals) try_total(total, cost, found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Factor& a, const Factor& b) { return a.cost < b.cost; });
    if (found.size() > most_factors) found.resize(most_factors);
    return found;
  }

 private:
  bool counts_parts(const RankExpression& parts) const {
    for (size_t run = 0; run < placed_.sequence().series.size(); ++run)
      if (value_at(parts, placed_.sequence().series[run].nprocs) != placed_.extent(axis_, run)) return false;
    return true;
  }

  /// What the values of a line are multiples of the shares of: neighbors bound the total, and all of them
  /// together, or the last one and another, are a divisor of it.
  void look_at(const GridLine& line) {
    int64_t n = placed_.extent(axis_, line.run), common = 0, least = INT64_MAX, most = 0;
    for (size_t i : line.positions) {
      int64_t v = placed_.value(line.run, i);
      common = std::gcd(common, v);
      least = std::min(least, v);
      most = std::max(most, v);
    }
    if (common == 0 || least == most) return;
    if ((most - least) / common == 1) {
      shown_ = true;
      least_ = std::max(least_, wide_product(least / common, n));
      most_ = std::min(most_, wide_product(least / common, n) + n - 1);
    }
    Wide all = 0;
    size_t first = line.positions.front(), last = line.positions.back();
    if (std::ssize(line.positions) == n)
      for (size_t i : line.positions) all += placed_.value(line.run, i) / common;
    else if (placed_.digit(axis_, line.run, last) == n - 1)
      all = wide_product(placed_.value(line.run, first) / common, n - 1) +
            placed_.value(line.run, last) / common;
    constexpr Wide largest = Wide{1} << 40;
    if (all < 1 || all > largest || multiple_ == 0) return;
    auto total = static_cast<int64_t>(all);
    Wide both = wide_product(multiple_ / std::gcd(multiple_, total), total);
    multiple_ = both > largest ? 0 : static_cast<int64_t>(both);
  }

  void try_total(int64_t total, int cost, std::vector<Factor>& found) {
    const RankExpression &n = placed_.grid()[axis_].extent, all = number(total);
    std::vector<RankExpression> forms = size_forms(all, n);
    forms.push_back(RankExpression::quotient(all, n) +
                    RankExpression::equal(place(), n - number(1)) * RankExpression::remainder(all, n));
    for (const RankExpression& form : forms) {
      RankExpression law = scale::substituted(form, trace::Variable::rank, placed_.grid()[axis_].digit);
      ByRun values = placed_.values_of(law);
      if (has_ratios(values)) found.push_back({law, std::move(values), cost});
    }
  }

  bool has_ratios(const ByRun& shares) const {
    const std::vector<GridLine>& lines = placed_.lines(axis_);
    return std::all_of(lines.begin(), lines.end(), [&](const GridLine& line) {
      size_t first = line.positions[0];
      return std::all_of(line.positions.begin() + 1, line.positions.end(), [&](size_t i) {
        return wide_product(placed_.value(line.run, i), shares[line.run][first]) ==
               wide_product(placed_.value(line.run, first), shares[line.run][i]);
      });
    });
  }

  const Placed& placed_;
  size_t axis_;
  const Knowledge& knowledge_;
  bool shown_ = false;                     ///< some line has neighbors
  Wide least_ = 1, most_ = Wide{1} << 40;  ///< total, as neighbors bound it
  int64_t multiple_ = 1;                   ///< divides the total; 0: too large
};

/// Laws of what is left where no line changes: products of quotients, one per dimension.
class Quotients {
 public:
  Quotients(const Placed& placed, const std::vector<size_t>& flat, const Knowledge& knowledge)
      : placed_(placed), flat_(flat), knowledge_(knowledge) {}

  std::vector<Candidate> laws(const std::vector<int64_t>& values) {
    look_for(values, flat_, {}, 0);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    if (found_.size() > most_factors) found_.resize(most_factors);
    return std::move(found_);
  }

 private:
  static constexpr size_t enough = 64;

  /// total/n, rounded down or up; exact if no run has a rest, whatever multiple of it is shared.
  struct Share {
    int64_t total = 0;
    RankExpression parts{};
    bool up = false, exact = false;

    RankExpression law(int64_t factor = 1) const {
      RankExpression all = number(total * factor);
      return RankExpression::quotient(up ? parts + all - number(1) : all, parts);
    }
  };

  void look_for(const std::vector<int64_t>& values, const std::vector<size_t>& left,
                const std::vector<Share>& shares, int cost) {
    auto differs = [&](int64_t v) { return v != values[0]; };
    if (std::none_of(values.begin(), values.end(), differs)) return offer(values[0], shares, cost);
    for (size_t axis : left) {
      if (found_.size() >= enough) return;
      std::vector<size_t> others = left;
      std::erase(others, axis);
      for (auto [total, cost_of_it] : totals(values, axis, others))
        for (bool up : {false, true}) {
          std::vector<Share> more = shares;
          more.push_back({total, placed_.grid()[axis].extent, up, leaves_no_rest(total, axis)});
          if (up && more.back().exact) continue;
          if (auto rest = divided(values, more.back().law()))
            look_for(*rest, others, more, cost + 2 + cost_of_it + (up ? 1 : 0));
        }
    }
  }

  /// What is the same in all runs is rather shared than a size of its own, where no run says which.
  void offer(int64_t factor, const std::vector<Share>& shares, int cost) {
    constexpr int64_t largest = int64_t{1} << 40;
    int spare =
        static_cast<int>(placed_.sequence().series.size()) - 1 - 2 * static_cast<int>(std::ssize(shares));
    auto product = [&](const Share* shared) {
      RankExpression law = number(shared ? 1 : factor);
      for (const Share& share : shares) law = share.law(&share == shared ? factor : 1) * law;
      return law;
    };
    for (const Share& share : shares)
      if (share.exact && factor > 1 && factor < largest / share.total)
        found_.push_back({product(&share), cost, spare});
    found_.push_back({product(nullptr), cost + (found_.empty() ? 0 : 1), spare});
  }

  bool leaves_no_rest(int64_t total, size_t axis) const {
    for (size_t run = 0; run < placed_.sequence().series.size(); ++run)
      if (total % placed_.extent(axis, run) != 0) return false;
    return true;
  }

  std::optional<std::vector<int64_t>> divided(std::vector<int64_t> values, const RankExpression& by) const {
    for (size_t run = 0; run < values.size(); ++run) {
      int64_t part = value_at(by, placed_.sequence().series[run].nprocs);
      if (part < 1 || values[run] % part != 0) return std::nullopt;
      values[run] /= part;
    }
    return values;
  }

  /// What may be shared along a dimension: what is known, or what pairs of runs say that have the same
  /// extents otherwise; if nothing is ever left over, whatever all extents divide.
  std::map<int64_t, int> totals(const std::vector<int64_t>& values, size_t axis,
                                const std::vector<size_t>& others) const {
    std::map<int64_t, int> totals;
    int64_t common = 1;
    constexpr int64_t largest = int64_t{1} << 31;
    for (size_t run = 0; run < values.size() && common < largest; ++run)
      common = std::lcm(common, placed_.extent(axis, run));
    if (common == 1) return totals;
    for (const auto& [total, parts] : knowledge_.shares)
      if (parts == placed_.grid()[axis].extent) totals.emplace(total, 0);
    if (common < largest) totals.emplace(common, 0);
    for (size_t a = 0; a < values.size(); ++a)
      for (size_t b = a + 1; b < values.size(); ++b) {
        bool alike = std::all_of(others.begin(), others.end(), [&](size_t other) {
          return placed_.extent(other, a) == placed_.extent(other, b);
        });
        if (alike) from_ratio(values[a], placed_.extent(axis, a), values[b], placed_.extent(axis, b), totals);
      }
    return totals;
  }

  /// a and b are the same multiple of shares of n and m places.
  static void from_ratio(int64_t a, int64_t n, int64_t b, int64_t m, std::map<int64_t, int>& totals) {
    if (n == m || a < 1 || b < 1) return;
    int64_t common = std::gcd(a, b);
    a /= common, b /= common;
    Wide apart = wide_product(a, n) - wide_product(b, m);
    if (apart < 0) apart = -apart;
    if (apart == 0) return;
    int64_t tried = 0;
    for (Wide g = 1; (g - 1) * apart <= std::max(n, m) && tried < most_totals; ++g) {
      Wide from = std::max(wide_product(g * a - 1, n), wide_product(g * b - 1, m)) + 1;
      Wide to = std::min(wide_product(g * a + 1, n), wide_product(g * b + 1, m)) - 1;
      for (Wide t = std::max<Wide>(from, 1); t <= to && tried < most_totals; ++t, ++tried)
        totals.emplace(static_cast<int64_t>(t), cost_of_total(static_cast<int64_t>(t)));
    }
  }

  const Placed& placed_;
  const std::vector<size_t>& flat_;
  const Knowledge& knowledge_;
  std::vector<Candidate> found_;
};

/// What is left of the values of each run after division by the factors, if it is one number.
std::optional<std::vector<int64_t>> left_of(const Sequence& s, const std::vector<const Factor*>& factors) {
  std::vector<int64_t> out;
  for (size_t run = 0; run < s.series.size(); ++run) {
    std::optional<int64_t> left;
    for (size_t i = 0; i < s.series[run].values.size(); ++i) {
      int64_t rest = s.series[run].values[i], by = 1;
      for (const Factor* factor : factors)
        if (__builtin_mul_overflow(by, factor->values[run][i], &by)) return std::nullopt;
      if (by == 0 && rest == 0) continue;
      if (by < 1 || rest % by != 0 || rest / by != left.value_or(rest / by)) return std::nullopt;
      left = rest / by;
    }
    if (!left || *left < 1) return std::nullopt;
    out.push_back(*left);
  }
  return out;
}

/// Sizes in one grid.
void products(Search& s, const Placed& placed) {
  auto negative = [](const Series& series) {
    return std::any_of(series.values.begin(), series.values.end(), [](int64_t v) { return v < 0; });
  };
  if (std::any_of(s.sequence.series.begin(), s.sequence.series.end(), negative)) return;
  std::vector<size_t> flat;
  std::vector<std::vector<Factor>> factors;
  int shown = INT32_MAX;
  for (size_t axis = 0; axis < placed.grid().size(); ++axis) {
    if (placed.is_flat(axis)) {
      flat.push_back(axis);
      continue;
    }
    factors.push_back(Sharing(placed, axis, s.knowledge).factors());
    if (factors.back().empty()) return;
    std::vector<bool> runs(s.sequence.series.size());
    for (const GridLine& line : placed.lines(axis)) runs[line.run] = true;
    shown = std::min(shown, static_cast<int>(std::count(runs.begin(), runs.end(), true)) - 1);
  }
  constexpr int of_grid = 5, of_factor = 1;
  auto offer = [&](size_t varied, size_t choice) {
    std::vector<const Factor*> chosen;
    RankExpression law = number(1);
    int cost = of_grid;
    for (size_t j = 0; j < factors.size(); ++j) {
      chosen.push_back(&factors[j][j == varied ? choice : 0]);
      law = law * chosen.back()->law;
      cost += chosen.back()->cost + of_factor;
    }
    auto left = left_of(s.sequence, chosen);
    if (!left) return;
    for (const Candidate& c : Quotients(placed, flat, s.knowledge).laws(*left))
      s.offer(law * c.law, cost + c.cost, std::min(shown, c.spare));
  };
  offer(factors.size(), 0);
  for (size_t j = 0; j < factors.size(); ++j)
    for (size_t choice = 1; choice < factors[j].size(); ++choice) offer(j, choice);
}

/// Whether all lines of a dimension rise by the same multiple of what a form says, in each run.
bool rises_with(const Placed& placed, size_t axis, const ByRun& starts) {
  std::vector<std::optional<std::pair<int64_t, int64_t>>> rise(placed.sequence().series.size());
  for (const GridLine& line : placed.lines(axis))
    for (size_t i : line.positions) {
      size_t first = line.positions[0];
      int64_t by = starts[line.run][i] - starts[line.run][first];
      int64_t v = trace::wrap_sub(placed.value(line.run, i), placed.value(line.run, first));
      if (by == 0 && v != 0) return false;
      if (by == 0) continue;
      auto& known = rise[line.run];
      if (!known) known = std::pair(v, by);
      if (wide_product(known->first, by) != wide_product(v, known->second)) return false;
    }
  return true;
}

/// Where shares along one dimension may begin: a form, and whether a known total is in it.
struct Start {
  RankExpression law{};
  bool known = false;
};

std::vector<Start> possible_starts(const Placed& placed, size_t axis, const Knowledge& knowledge) {
  constexpr size_t most_forms = 6;
  const auto& [extent, digit] = placed.grid()[axis];
  std::vector<Start> forms;
  auto add = [&](const RankExpression& form, bool known) {
    if (forms.size() < most_forms && rises_with(placed, axis, placed.values_of(form)))
      forms.push_back({form, known});
  };
  for (const auto* shares : {&knowledge.shares, &knowledge.guesses})
    for (const auto& [total, parts] : *shares)
      if (parts == extent)
        for (const RankExpression& form : start_forms(number(total), extent))
          add(scale::substituted(form, trace::Variable::rank, digit), true);
  add(digit, false);
  return forms;
}

/// Offsets in one grid, where some total is known.
void sums(Search& s, const Placed& placed) {
  std::vector<std::vector<Start>> forms;
  for (size_t axis = 0; axis < placed.grid().size(); ++axis)
    forms.push_back(possible_starts(placed, axis, s.knowledge));
  forms.resize(3, {Start{}});
  constexpr int of_axis = 4, of_plain_digit = 1;
  int cost = of_axis * static_cast<int>(placed.grid().size()) - 2;
  for (const Start& a : forms[0])
    for (const Start& b : forms[1])
      for (const Start& c : forms[2]) {
        if (!a.known && !b.known && !c.known) continue;
        std::vector<RankExpression> basis{a.law, b.law, c.law};
        std::erase_if(basis, [](const RankExpression& e) { return e.is_constant(); });
        auto plain = static_cast<int>(basis.size()) - a.known - b.known - c.known;
        s.offer_basis(basis, cost + of_plain_digit * plain);
      }
}

/// In all grids, of places that are ranks.
template <class Use>
void for_grids(Search& s, Use use) {
  if (s.depth > 1 || is_mask(s.sequence) || !(s.sequence.size == RankExpression::nprocs())) return;
  for (const Grid& grid : possible_grids()) use(s, Placed(s.sequence, grid));
}

}  // namespace

void product_family(Search& s) { for_grids(s, products); }
void sum_family(Search& s) { for_grids(s, sums); }

}  // namespace refrain::extrapolate
