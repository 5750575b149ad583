// Volumes that only some ranks show. The size of a block of a grid is a product of shares, one per dimension.
// Where all ranks have one, sums over rows and columns give the factors (digits.cpp). Where a condition
// leaves ranks out they don't, but often one of the totals is known from where blocks begin:
//
//     ranks of a 3 x 2 grid that have a value     1      3      5
//     offset    rank/2*(1000/3)*8 + ...           so 1000 is shared by 3: 334, 333, 333 or 333, 333, 334
//     size      334*50    333*50    333*50        divided by the first of them: 50, 50, 50
//
// What is left after division by one factor depends on the other digits alone, and has a law if the factor
// was the right one. Of a total that all runs divide nothing has to be known: whatever they divide will do.
//
// Shares that aren't equal mostly differ by one, and show themselves: of 334*50 and 333*50 the ratio is that
// of 334 and 333, whatever 50 is.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "extrapolate/fit_law.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

/// A sequence of products, cut at an extent of a grid.
class PartialVolumes {
 public:
  PartialVolumes(Search& search, const Feature& extent)
      : search_(search), extent_(extent), rows_(RankExpression::quotient(search.sequence.size, extent.law)) {}

  /// Whether the extent makes equal rows of all places, several of them in some run.
  bool fits() const {
    bool cuts = false, exact = !search_.sequence.size.is_constant();
    for (const Series& series : search_.sequence.series) {
      int64_t m = value(extent_.law, 0, series.nprocs), n = search_.sequence.size_at(series.nprocs);
      exact &= m >= 1 && m <= n && n % m == 0;
      cuts |= m > 1 && m < n;
    }
    return exact && cuts;
  }

  /// Tries what is known to be shared by one of the digits.
  void offer_known() {
    for (bool low : {true, false}) {
      const RankExpression& parts = low ? extent_.law : rows_;
      for (const auto& [total, by] : search_.knowledge.shares)
        if (same(by, parts)) offer_shares(total, parts, low);
      int64_t common = 1;
      for (const Series& series : search_.sequence.series)
        common = std::lcm(common, value(parts, 0, series.nprocs));
      if (common > 1) offer_product(RankExpression::quotient(number(common), parts), cost_of_known, low);
    }
  }

  /// Tries what the values themselves show of one of the digits.
  void offer_shown() {
    for (bool low : {true, false}) {
      Sequence shown{{}, low ? extent_.law : rows_};
      for (const Series& series : search_.sequence.series) {
        std::optional<std::map<int64_t, int64_t>> shares = shares_in(series, low);
        if (!shares) return;
        for (auto [k, v] : *shares)
          shown.add(static_cast<uint32_t>(series.nprocs), static_cast<uint32_t>(k), v);
      }
      if (shown.series.size() < 2) continue;
      constexpr size_t most_tried = 3;
      std::vector<Candidate> laws = fit(shown, search_.knowledge, search_.depth + 1);
      for (size_t i = 0; i < std::min(laws.size(), most_tried); ++i)
        offer_product(laws[i].law, cost_of_shown + laws[i].cost, low);
    }
  }

 private:
  static constexpr int cost_of_known = 7, cost_of_shown = 2;

  static int64_t value(const RankExpression& e, int64_t place, int64_t nprocs) {
    return e.at(RankExpression::Point{.rank = static_cast<uint32_t>(place), .nprocs = nprocs});
  }

  bool same(const RankExpression& a, const RankExpression& b) const {
    const std::vector<Series>& all = search_.sequence.series;
    return std::all_of(all.begin(), all.end(), [&](const Series& series) {
      return value(a, 0, series.nprocs) == value(b, 0, series.nprocs);
    });
  }

  void offer_shares(int64_t total, const RankExpression& n, bool low) {
    RankExpression all = number(total), even = RankExpression::quotient(all, n);
    RankExpression last = RankExpression::equal(place(), n - number(1));
    for (const RankExpression& form : size_forms(all, n)) offer_product(form, cost_of_known, low);
    offer_product(even, cost_of_known, low);
    offer_product(even + last * RankExpression::remainder(all, n), cost_of_known, low);
  }

  /// The shares of one digit in a run, as far as neighbors differ by one; nothing if that is no share of two.
  std::optional<std::map<int64_t, int64_t>> shares_in(const Series& series, bool low) const {
    int64_t m = value(extent_.law, 0, series.nprocs);
    std::map<int64_t, std::map<int64_t, int64_t>> by_other;
    for (size_t i = 0; i < series.places.size(); ++i) {
      int64_t column = series.places[i] % m, row = series.places[i] / m;
      by_other[low ? row : column][low ? column : row] = series.values[i];
    }
    std::map<int64_t, int64_t> known;
    for (const auto& [other, line] : by_other) {
      int64_t common = 0, least = INT64_MAX, most = 0;
      for (auto [k, v] : line) {
        common = std::gcd(common, v);
        least = std::min(least, v);
        most = std::max(most, v);
      }
      if (least == most) continue;
      if (most / common - least / common != 1) return std::nullopt;
      for (auto [k, v] : line)
        if (auto [there, added] = known.emplace(k, v / common); !added && there->second != v / common)
          return std::nullopt;
    }
    return known;
  }

  /// The law as one factor, and what it leaves as the other.
  void offer_product(const RankExpression& factor, int cost, bool low) {
    std::optional<Sequence> rest = divided(factor, low);
    if (!rest) return;
    RankExpression low_digit = RankExpression::remainder(place(), extent_.law);
    RankExpression high_digit = RankExpression::quotient(place(), extent_.law);
    auto at = [](const RankExpression& law, const RankExpression& digit) {
      return scale::substituted(law, trace::Variable::rank, digit);
    };
    for (const Candidate& c : fit(*rest, search_.knowledge, search_.depth + 1))
      search_.offer(at(factor, low ? low_digit : high_digit) * at(c.law, low ? high_digit : low_digit),
                    c.cost + extent_.cost + cost, c.spare);
  }

  /// Values over what the factor says of one digit, by the other digit; nothing if that leaves a rest or says
  /// two things of one place.
  std::optional<Sequence> divided(const RankExpression& factor, bool low) const {
    Sequence out{{}, low ? rows_ : extent_.law};
    for (const Series& series : search_.sequence.series) {
      int64_t m = value(extent_.law, 0, series.nprocs);
      std::map<int64_t, int64_t> known;
      for (size_t i = 0; i < series.places.size(); ++i) {
        int64_t column = series.places[i] % m, row = series.places[i] / m;
        int64_t by = value(factor, low ? column : row, series.nprocs);
        if (by < 1 || series.values[i] % by != 0) return std::nullopt;
        auto [there, added] = known.emplace(low ? row : column, series.values[i] / by);
        if (!added && there->second != series.values[i] / by) return std::nullopt;
      }
      for (auto [k, v] : known) out.add(static_cast<uint32_t>(series.nprocs), static_cast<uint32_t>(k), v);
    }
    return out;
  }

  Search& search_;
  const Feature& extent_;
  RankExpression rows_;
};

}  // namespace

void partial_volume_family(Search& s) {
  if (s.depth >= max_depth || is_mask(s.sequence)) return;
  auto positive = [](const Series& series) {
    return std::all_of(series.values.begin(), series.values.end(), [](int64_t v) { return v > 0; });
  };
  if (!std::all_of(s.sequence.series.begin(), s.sequence.series.end(), positive)) return;
  const std::vector<Feature> extents = s.knowledge.features.extents();
  for (const Feature& extent : extents)
    if (PartialVolumes volumes(s, extent); volumes.fits()) {
      volumes.offer_known();
      volumes.offer_shown();
    }
}

}  // namespace refrain::extrapolate
