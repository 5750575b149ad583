// Sizes of blocks of a grid: products of shares, one per dimension. A condition may leave few ranks to tell,
// or a single one:
//
//     ranks                                5         8         9        24
//     extents of the grid               5 x 1     4 x 2     3 x 3     6 x 4
//     size of the first block        10184916   6356992   5658114   2119062
//
// What one dimension has of its total divides each of these numbers. So the totals follow from the divisors
// of one of them: 777 divides the first, and where 777 is shared by 1, 2, 3 and 4 it is 777, 388, 259 and
// 194, which divide all four. What is left over, 13108, 16384, 21846 and 10923, is shared by 5, 4, 3 and 6:
// this is 65536/n, rounded up. Hardly any other number passes all divisions, and the more values there are,
// the fewer.
//
// Of shares that all runs divide without a rest, only the number of parts is known. One total stands for all
// of these; the number that is left in the end is a part of it, or a size of its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/wide.hpp"
#include "extrapolate/divisors.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/grid_axes.hpp"
#include "extrapolate/grids.hpp"
#include "extrapolate/price.hpp"
#include "extrapolate/sharing.hpp"

namespace refrain::extrapolate {
namespace {

constexpr size_t most_divisors = 1500;
constexpr int most_along_one = 5000;  ///< totals that are tried along one dimension
constexpr int most_trials = 25000;    ///< the same in one grid, whatever the others are
constexpr size_t most_products = 8;
constexpr int64_t largest_total = int64_t{1} << 40;
constexpr int64_t any = -1;  ///< a value that nothing is known of

/// What one dimension may give each place.
struct Share {
  const Sharing* how = nullptr;
  size_t axis = 0;
  int64_t total = 0;
  int cost = 0;
};
struct Factor {
  Share share{};
  std::vector<int64_t> values{};  ///< by value of the sequence
  std::vector<Share> variants{};  ///< other ones that give the same values
  bool exact = false;             ///< no run has a rest
  double bits = 0;                ///< how unlikely it is that it divides all values by chance
};

/// What is left of the values after division by the shares chosen so far.
struct Rest {
  std::vector<size_t> at{};  ///< which values these are
  std::vector<int64_t> left{};
  bool flat = false;  ///< one for each run, which stands for all of it: no place has more than another
};

/// A sequence in a grid.
class Products {
 public:
  Products(Search& s, const Grid& grid) : search_(s), grid_(grid), bound_(s.limit()) {
    for (const Series& series : s.sequence.series) {
      values_.insert(values_.end(), series.values.begin(), series.values.end());
      runs_.resize(values_.size(), series.nprocs);
    }
    for (const Axis& axis : grid) {
      std::vector<int64_t>&n = extents_.emplace_back(), &k = digits_.emplace_back();
      for (const Series& series : s.sequence.series) {
        k.resize(k.size() + series.places.size());
        axis.digit.evaluate(series.places, std::span(k).last(series.places.size()), series.nprocs);
        n.resize(k.size(), axis.extent.at(RankExpression::Point{.nprocs = series.nprocs}));
      }
      common_.push_back(common_extent(axis, s.sequence));
    }
  }

  void run() {
    if (std::any_of(values_.begin(), values_.end(), [](int64_t v) { return v < 0; })) return;
    Rest rest;
    rest.left = values_;
    rest.at.resize(values_.size());
    std::iota(rest.at.begin(), rest.at.end(), size_t{0});
    look_for(rest, (1u << grid_.size()) - 1, of_grid);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    if (found_.size() > most_products) found_.resize(most_products);
    for (const Candidate& c : found_) search_.offer(c.law, c.cost, c.spare);
  }

 private:
  /// What may be shared along a dimension.
  struct Totals {
    bool varies = false;                         ///< places along it have different values
    std::vector<std::pair<int, int64_t>> all{};  ///< with their price, by which they are in order

    bool goes_before(const Totals& other) const {
      return std::pair(!varies, all.size()) < std::pair(!other.varies, other.all.size());
    }
  };

  /// Products of the shares chosen so far, which cost so much, and of those along the `axes` that are left,
  /// of which the one that leaves the fewest totals comes first.
  void look_for(const Rest& all, unsigned axes, int cost) {
    Rest rest = by_run(all);
    if (std::optional<int64_t> same = one_value(rest.left)) {
      if (!chosen_.empty()) offer(*same, cost);
      return;
    }
    std::optional<size_t> axis;
    Totals totals;
    for (size_t a = 0; a < grid_.size(); ++a)
      if (axes >> a & 1)
        if (Totals own = possible_totals(rest, a); !axis || own.goes_before(totals)) {
          axis = a;
          totals = std::move(own);
        }
    if (!axis) return;
    axes &= ~(1u << *axis);
    std::vector<Factor> possible = factors(rest, *axis, totals, cost);
    for (const Factor& factor : possible) {
      if (cost + factor.share.cost > bound_) break;
      chosen_.push_back(&factor);
      look_for(divided(rest, factor.values), axes, cost + factor.share.cost);
      chosen_.pop_back();
    }
    if (!totals.varies) look_for(rest, axes, cost);
  }

  /// One value for each run, if that says all.
  Rest by_run(const Rest& all) const {
    Rest out{.flat = all.flat};
    for (size_t j = 0; j < all.at.size(); ++j) {
      bool first = out.at.empty() || runs_[out.at.back()] != runs_[all.at[j]];
      if (!first && all.left[j] != out.left.back()) return all;
      if (first) {
        out.at.push_back(all.at[j]);
        out.left.push_back(all.left[j]);
      }
    }
    out.flat |= out.at.size() < all.at.size();
    return out;
  }

  static std::optional<int64_t> one_value(const std::vector<int64_t>& left) {
    int64_t same = any;
    for (int64_t v : left) {
      if (v == any) continue;
      if (same != any && v != same) return std::nullopt;
      same = v;
    }
    return same > 0 ? std::optional(same) : std::nullopt;
  }

  static Rest divided(Rest rest, const std::vector<int64_t>& by) {
    for (size_t j = 0; j < by.size(); ++j)
      if (rest.left[j] != any) rest.left[j] = by[j] == 0 ? any : rest.left[j] / by[j];
    return rest;
  }

  std::vector<Factor> factors(const Rest& rest, size_t axis, const Totals& totals, int before) {
    std::vector<Factor> found;
    if (common_[axis] == 1) return found;
    for (const auto* shares : {&search_.knowledge.shares, &search_.knowledge.guesses})
      for (const auto& [total, parts] : *shares)
        if (counts_parts(parts, axis)) try_total(rest, axis, total, 0, found);
    try_total(rest, axis, common_[axis], 0, found);
    int tried = 0;
    for (auto [price, total] : totals.all)
      if (int cost = 1 + price / 8; before + cost < bound_ && ++tried < most_along_one)
        try_total(rest, axis, total, cost, found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Factor& a, const Factor& b) { return a.share.cost < b.share.cost; });
    for (Factor& factor : found)
      if (!factor.exact) factor.bits = bits_of_chance(factor.values, rest.left, totals.all.size());
    return found;
  }

  bool counts_parts(const RankExpression& parts, size_t axis) const {
    const std::vector<Series>& all = search_.sequence.series;
    return std::all_of(all.begin(), all.end(), [&](const Series& series) {
      RankExpression::Point here{.nprocs = series.nprocs};
      return parts.at(here) == grid_[axis].extent.at(here);
    });
  }

  /// What values say of the share of a place: it is a divisor of all of this place's, and a multiple of their
  /// ratios to those of other places in the same line.
  struct Shown {
    int64_t extent = 0, multiple = 0, divisor = 1;
  };

  /// Nothing if no share is possible for one of the places.
  std::vector<Shown> shown_by_places(const Rest& rest, size_t axis) const {
    std::map<std::vector<int64_t>, int64_t> common_of_lines;
    for (size_t j = 0; j < rest.at.size(); ++j)
      if (rest.left[j] > 0) {
        int64_t& common = common_of_lines[line_of(rest.at[j], axis)];
        common = std::gcd(common, rest.left[j]);
      }
    std::map<std::pair<int64_t, int64_t>, Shown> by_place;
    for (size_t j = 0; j < rest.at.size(); ++j) {
      if (rest.left[j] <= 0) continue;
      size_t i = rest.at[j];
      Shown& shown = by_place[{runs_[i], digits_[axis][i]}];
      shown.extent = extents_[axis][i];
      shown.multiple = std::gcd(shown.multiple, rest.left[j]);
      int64_t ratio = rest.left[j] / common_of_lines[line_of(i, axis)];
      Wide both = wide_product(shown.divisor / std::gcd(shown.divisor, ratio), ratio);
      if (both > largest_total) return {};
      shown.divisor = static_cast<int64_t>(both);
    }
    std::vector<Shown> all;
    for (const auto& [place, shown] : by_place) {
      if (shown.multiple % shown.divisor != 0) return {};
      all.push_back(shown);
    }
    return all;
  }

  /// What may be shared along a dimension, by price: from the place that leaves the fewest shares.
  Totals possible_totals(const Rest& rest, size_t axis) const {
    std::vector<Shown> shown = shown_by_places(rest, axis);
    constexpr size_t most_factored = 4;
    auto freedom = [](const Shown& s) { return std::pair(s.multiple / s.divisor, s.extent); };
    std::sort(shown.begin(), shown.end(),
              [&](const Shown& a, const Shown& b) { return freedom(a) < freedom(b); });
    std::vector<int64_t> shares, best;
    int64_t extent = 0;
    for (size_t i = 0; i < std::min(shown.size(), most_factored); ++i) {
      shares = divisors_of(shown[i].multiple / shown[i].divisor, most_divisors);
      if (shares.empty() || (extent > 0 && std::ssize(shares) * shown[i].extent >= std::ssize(best) * extent))
        continue;
      extent = shown[i].extent;
      best = std::move(shares);
      for (int64_t& share : best) share *= shown[i].divisor;
    }
    Totals totals;
    for (const Shown& one : shown) totals.varies |= one.divisor > 1;
    for (int64_t share : best) add_totals(share, extent, totals);
    std::sort(totals.all.begin(), totals.all.end());
    totals.all.erase(std::unique(totals.all.begin(), totals.all.end()), totals.all.end());
    return totals;
  }

  /// Which values are in a line along a dimension.
  std::vector<int64_t> line_of(size_t i, size_t axis) const {
    std::vector<int64_t> line{runs_[i]};
    for (size_t a = 0; a < grid_.size(); ++a)
      if (a != axis) line.push_back(digits_[a][i]);
    return line;
  }

  /// What n places may share so that one of them has so much.
  static void add_totals(int64_t share, int64_t n, Totals& totals) {
    auto add = [&](int64_t total) { totals.all.push_back({bits_of_number(total), total}); };
    if (share > largest_total / n) return;
    for (int64_t i = 0; i < n; ++i) {
      add(share * n + i);
      if (i == 0) continue;
      add(share * n - i);                       // rounded up
      if (share > i) add((share - i) * n + i);  // with all that is left over
      add((share + i) * (n - 1) + share);       // with what the others leave
    }
  }

  void try_total(const Rest& rest, size_t axis, int64_t total, int cost, std::vector<Factor>& found) {
    if (total < 2 || total > largest_total || --trials_ < 0) return;
    int64_t common = common_[axis];
    bool exact = common > 1 && total % common == 0;
    if (exact && total != common && cost > 0) return;  // one stands for all
    if (!may_divide(total, rest, axis)) return;
    for (const Sharing& sharing : sharings()) {
      if ((exact && &sharing != &equal_shares()) || !fits_places(sharing, rest, axis)) continue;
      if (!divides_all(sharing, total, rest, axis)) continue;
      std::vector<int64_t> shares;
      for (size_t i : rest.at) shares.push_back(sharing.of(total, extents_[axis][i], digits_[axis][i]));
      add(found, {&sharing, axis, total, cost + sharing.cost}, std::move(shares), exact);
    }
  }

  static void add(std::vector<Factor>& found, Share share, std::vector<int64_t> values, bool exact) {
    constexpr size_t most_variants = 6;
    auto same = std::find_if(found.begin(), found.end(), [&](const Factor& f) { return f.values == values; });
    if (same == found.end()) return found.push_back({share, std::move(values), {}, exact});
    if (share.cost < same->share.cost) std::swap(share, same->share);
    if (same->variants.size() < most_variants) same->variants.push_back(share);
  }

  /// Whether shares of the total, rounded down or up, divide all values but those of last places.
  bool may_divide(int64_t total, const Rest& rest, size_t axis) const {
    for (size_t j = rest.at.size(); j-- > 0;) {
      int64_t n = extents_[axis][rest.at[j]], k = digits_[axis][rest.at[j]], v = rest.left[j];
      int64_t share = total / n, up = share + (total % n == 0 ? 0 : 1);
      bool partial = k == n - 1 || k * up + up > total;
      if (v > 0 && !partial && (share == 0 || v % share != 0) && v % up != 0) return false;
    }
    return true;
  }

  bool divides_all(const Sharing& sharing, int64_t total, const Rest& rest, size_t axis) const {
    for (size_t j = rest.at.size(); j-- > 0;) {
      int64_t share = sharing.of(total, extents_[axis][rest.at[j]], digits_[axis][rest.at[j]]);
      if (share < 0 || (rest.left[j] > 0 && (share == 0 || rest.left[j] % share != 0))) return false;
    }
    return true;
  }

  bool fits_places(const Sharing& sharing, const Rest& rest, size_t axis) const {
    if (sharing.needs == Sharing::nothing) return true;
    if (rest.flat) return false;
    bool first = true, last = true;
    for (size_t i : rest.at) {
      first &= digits_[axis][i] == 0;
      last &= digits_[axis][i] == extents_[axis][i] - 1;
    }
    return sharing.needs == Sharing::only_last ? last : !first && !last;
  }

  RankExpression law_of(const Share& share, int64_t factor = 1) const {
    return share.how->law(number(share.total * factor), grid_[share.axis].extent, grid_[share.axis].digit);
  }

  /// What is left is rather a part of a total that no run shows whole than a size of its own.
  void offer(int64_t factor, int cost) {
    bound_ = std::min(bound_, cost + slack);
    size_t none = chosen_.size();
    auto product = [&](size_t varied, const Share* variant, size_t shared) {
      RankExpression law = number(shared < none ? 1 : factor);
      for (size_t j = 0; j < none; ++j)
        law = law_of(j == varied ? *variant : chosen_[j]->share, j == shared ? factor : 1) * law;
      return law;
    };
    bool shared = false;
    for (size_t j = 0; j < none && factor > 1; ++j)
      if (chosen_[j]->exact && chosen_[j]->share.total < largest_total / factor) {
        add(product(none, nullptr, j), cost);
        shared = true;
      }
    add(product(none, nullptr, none), cost + (shared ? 1 : 0));
    for (size_t j = 0; j < none; ++j)
      for (const Share& variant : chosen_[j]->variants)
        add(product(j, &variant, none), cost + variant.cost - chosen_[j]->share.cost);
  }

  /// Whatever leaves no rest is one of many; what confirms a law are the shares that do.
  void add(const RankExpression& law, int cost) {
    constexpr double telling = 16;
    double bits = 0;
    for (const Factor* factor : chosen_) bits += factor->bits;
    int runs = static_cast<int>(search_.sequence.series.size());
    found_.push_back({law, cost, std::clamp(static_cast<int>(bits / telling), 0, runs - 1)});
  }

  /// Of numbers as large as a share, so many divide a value: the fewer, the more it says that the share does.
  double bits_of_chance(const std::vector<int64_t>& shares, const std::vector<int64_t>& left, size_t tried) {
    double bits = -std::log2(static_cast<double>(tried) + 1);
    std::set<std::pair<int64_t, int64_t>> seen;
    for (size_t i = 0; i < left.size(); ++i) {
      if (left[i] <= 0 || !seen.emplace(left[i], shares[i]).second) continue;
      auto [known, fresh] = divisors_.try_emplace(left[i]);
      std::vector<int64_t>& all = known->second;
      if (fresh) {
        all = divisors_of(left[i], most_divisors);
        std::sort(all.begin(), all.end());
      }
      auto near = std::upper_bound(all.begin(), all.end(), 2 * shares[i]) -
                  std::lower_bound(all.begin(), all.end(), shares[i] / 2);
      if (near > 0) bits += std::log2(1.5 * static_cast<double>(shares[i]) / static_cast<double>(near));
    }
    return bits;
  }

  static constexpr int of_grid = 5;
  Search& search_;
  const Grid& grid_;
  std::vector<int64_t> runs_;                           ///< by value: in which it is
  std::vector<int64_t> values_;                         ///< of all runs
  std::vector<std::vector<int64_t>> extents_, digits_;  ///< by dimension, where each value is
  std::vector<int64_t> common_;                         ///< multiple of all extents, by dimension
  std::vector<const Factor*> chosen_;
  std::vector<Candidate> found_;
  std::map<int64_t, std::vector<int64_t>> divisors_;  ///< in order
  int trials_ = most_trials;
  int bound_ = any_cost;  ///< what costs more is of no use
};

}  // namespace

void product_family(Search& s) {
  if (s.depth > 1 || is_mask(s.sequence) || !(s.sequence.size == RankExpression::nprocs())) return;
  for (const Grid& grid : possible_grids()) Products(s, grid).run();
}

}  // namespace refrain::extrapolate
