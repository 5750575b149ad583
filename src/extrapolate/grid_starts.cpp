// Offsets of blocks of a grid: sums of where shares begin, one per dimension, each times a factor. Which
// totals are shared follows from the sizes, as other calls or the same one show them. Factors may depend on
// the number of ranks if each run shows them; if they are the same in all runs, all runs together show them
// sooner.
#include <algorithm>
#include <array>
#include <optional>

#include "extrapolate/basis.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/grid_axes.hpp"
#include "extrapolate/price.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

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
  Sums(Search& s, const Grid& grid) : search_(s), grid_(grid) {}

  void run() {
    std::vector<std::vector<Start>> forms;
    for (size_t axis = 0; axis < grid_.size(); ++axis) forms.push_back(possible_starts(axis));
    forms.resize(3, {Start{}});
    for (const Start& a : forms[0])
      for (const Start& b : forms[1])
        for (const Start& c : forms[2]) try_sum({a, b, c});
  }

 private:
  std::vector<Start> possible_starts(size_t axis) const {
    constexpr size_t most_forms = 16;
    const auto& [extent, digit] = grid_[axis];
    std::vector<Start> forms;
    auto add = [&](const Start& start) {
      if (forms.size() < most_forms) forms.push_back(start);
    };
    if (is_zero(digit)) return {Start{}};
    for (const auto* shares : {&search_.knowledge.shares, &search_.knowledge.guesses})
      for (const auto& [total, parts] : *shares)
        if (parts == extent)
          for (const RankExpression& form : start_forms(number(total), extent))
            add({scale::substituted(form, trace::Variable::rank, digit), true, false});
    add({digit, false, true});
    if (int64_t common = common_extent(grid_[axis], search_.sequence); common > 1)
      add({digit * RankExpression::quotient(number(common), extent), false, true, common, extent, digit});
    return forms;
  }

  bool is_zero(const RankExpression& digit) const {
    const std::vector<Series>& all = search_.sequence.series;
    return std::all_of(all.begin(), all.end(), [&](const Series& series) {
      return std::all_of(series.places.begin(), series.places.end(),
                         [&](uint32_t k) { return digit.at({.rank = k, .nprocs = series.nprocs}) == 0; });
    });
  }

  void try_sum(const std::array<Start, 3>& starts) {
    constexpr int of_axis = 4, of_plain_digit = 1;
    int cost = of_axis * static_cast<int>(grid_.size()) - 2;
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
  const Grid& grid_;
};

}  // namespace

void sum_family(Search& s) {
  if (s.depth > 1 || is_mask(s.sequence) || !(s.sequence.size == RankExpression::nprocs())) return;
  for (const Grid& grid : possible_grids()) Sums(s, grid).run();
}

}  // namespace refrain::extrapolate
