// Offsets of blocks of a grid: sums of where shares begin, one per dimension. Which totals are shared follows
// from the sizes, as other calls or the same one show them; a sum is worth a try if the values of places that
// differ in one digit alone rise by what it says.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "base/wide.hpp"
#include "extrapolate/basis.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/grid_axes.hpp"
#include "extrapolate/price.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

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
  ByRun values_of(const RankExpression& law) const {
    ByRun all;
    for (const Series& series : sequence_.series) {
      std::vector<int64_t>& here = all.emplace_back(series.places.size());
      law.evaluate(series.places, here, series.nprocs);
    }
    return all;
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

/// Where shares along one dimension may begin.
struct Start {
  RankExpression law{};
  bool known = false;  ///< a total that something else shows
  bool plain = false;  ///< the same for each place, or equal shares of something that leave no rest
  /// Of these: what is shared, counted in the smallest parts that leave no rest, and by how many.
  int64_t common = 0;
  RankExpression extent{}, digit{};

  /// So many times.
  RankExpression times(int64_t factor) const {
    if (common == 0) return law * number(factor);
    return digit * RankExpression::quotient(number(trace::wrap_mul(common, factor)), extent);
  }
};

class Sums {
 public:
  Sums(Search& s, const Grid& grid) : search_(s), placed_(s.sequence, grid) {}

  void run() {
    std::vector<std::vector<Start>> forms;
    for (size_t axis = 0; axis < placed_.grid().size(); ++axis) forms.push_back(possible_starts(axis));
    forms.resize(3, {Start{}});
    for (const Start& a : forms[0])
      for (const Start& b : forms[1])
        for (const Start& c : forms[2]) try_sum({a, b, c});
  }

 private:
  std::vector<Start> possible_starts(size_t axis) const {
    constexpr size_t most_forms = 16;
    const auto& [extent, digit] = placed_.grid()[axis];
    std::vector<Start> forms;
    auto add = [&](const Start& start) {
      if (forms.size() < most_forms && rises_with(placed_, axis, placed_.values_of(start.law)))
        forms.push_back(start);
    };
    ByRun digits = placed_.values_of(digit);
    auto is_zero = [](const std::vector<int64_t>& run) {
      return std::all_of(run.begin(), run.end(), [](int64_t k) { return k == 0; });
    };
    if (std::all_of(digits.begin(), digits.end(), is_zero)) return {Start{}};
    for (const auto* shares : {&search_.knowledge.shares, &search_.knowledge.guesses})
      for (const auto& [total, parts] : *shares)
        if (parts == extent)
          for (const RankExpression& form : start_forms(number(total), extent))
            add({scale::substituted(form, trace::Variable::rank, digit), true, false});
    add({digit, false, true});
    if (int64_t common = common_multiple(extent); common > 1)
      add({digit * RankExpression::quotient(number(common), extent), false, true, common, extent, digit});
    return forms;
  }

  /// Of the extents in all runs; 1 if it is large.
  int64_t common_multiple(const RankExpression& extent) const {
    constexpr int64_t largest = 1 << 20;
    int64_t common = 1;
    for (const Series& series : search_.sequence.series)
      if (common < largest)
        common = std::lcm(common, extent.at(RankExpression::Point{.nprocs = series.nprocs}));
    return common < largest ? common : 1;
  }

  void try_sum(const std::array<Start, 3>& starts) {
    constexpr int of_axis = 4, of_plain_digit = 1;
    int cost = of_axis * static_cast<int>(placed_.grid().size()) - 2;
    std::vector<RankExpression> basis;
    std::vector<const Start*> terms;
    bool known = false, exact = false;
    for (const Start& start : starts) {
      known |= start.known;
      exact |= start.common != 0;
      if (start.law.is_constant()) continue;
      basis.push_back(start.law);
      terms.push_back(&start);
      cost += start.plain ? of_plain_digit : 0;
    }
    if (basis.empty()) return;
    if (known && !exact) search_.offer_basis(basis, cost);
    int64_t base = search_.sequence.series[0].places[0] == 0 ? search_.sequence.series[0].values[0] : 0;
    auto factors = same_factors(search_.sequence, basis, base);
    if (!factors) return;
    RankExpression law;
    for (size_t i = 0; i < terms.size(); ++i) {
      if ((*factors)[i] <= 0) return;
      law = law + terms[i]->times((*factors)[i]);
    }
    constexpr int telling = 16;
    int gain = bits_of_values(search_.sequence) - bits_of_law(law);
    int runs = static_cast<int>(search_.sequence.series.size());
    search_.offer(law + number(base), cost, gain >= telling ? std::min(runs - 1, gain / telling) : 0);
  }

  Search& search_;
  Placed placed_;
};

}  // namespace

void sum_family(Search& s) {
  if (s.depth > 1 || is_mask(s.sequence) || !(s.sequence.size == RankExpression::nprocs())) return;
  for (const Grid& grid : possible_grids()) Sums(s, grid).run();
}

}  // namespace refrain::extrapolate
