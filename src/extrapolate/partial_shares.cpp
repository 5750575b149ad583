// Shares of a total of which only some places show something, as behind a condition:
//
//     number of ranks                8         9          24
//     of ranks 6, 13 and 20         97        86      33 32 32
//     where these begin            583       519     198 425 649
//
// A place has its share rounded down or up: 97 of 8 places are 769 to 783 together, 86 of 9 are 766 to 782.
// So few totals are left, and each way to share one of them either gives all values or doesn't. Where shares
// begin bounds the total in the same way, and more narrowly the further the place is from the first: 649
// before the 21st of 24 are 769 to 791. Several calls often show the same total: what one of them leaves open
// another one may tell.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/wide.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/price.hpp"
#include "extrapolate/sharing.hpp"

namespace refrain::extrapolate {
namespace {

constexpr Wide most_totals = 2048;
constexpr int64_t largest_shared = int64_t{1} << 40;

class PartialShares {
 public:
  explicit PartialShares(Search& s) : search_(s) {
    for (const Series& series : s.sequence.series) n_.push_back(s.sequence.size_at(series.nprocs));
  }

  void sizes() {
    for (int64_t unit : units(0)) {
      Wide low = 1, high = largest_shared;
      for (size_t run = 0; run < n_.size(); ++run) {
        const auto& [nprocs, k, v] = series(run);
        for (size_t i = 0; i < v.size(); ++i) {
          if (v[i] < 0 || v[i] > largest_shared) return;
          if (int64_t{k[i]} == n_[run] - 1) continue;  // may have what is left over
          low = std::max(low, wide_product(v[i] / unit - 1, n_[run]) + 1);
          if (i == 0) high = std::min(high, wide_product(v[i] / unit + 1, n_[run]) - 1);
        }
      }
      try_all(sharings(), low, high, unit, 0);
    }
  }

  void starts() {
    const std::optional<int64_t> base = first_start();
    if (!base || *base < 0) return;
    for (int64_t unit : units(*base)) {
      Wide low = 1, high = largest_shared;
      for (size_t run = 0; run < n_.size(); ++run) {
        const auto& [nprocs, k, v] = series(run);
        for (size_t i = 0; i < v.size(); ++i) {
          if (v[i] < *base || v[i] > largest_shared) return;
          if (k[i] == 0) continue;
          int64_t before = (v[i] - *base) / unit;
          low = std::max(low, wide_product((before + k[i] - 1) / k[i] - 1, n_[run]) + 1);
          high = std::min(high, wide_product(before / k[i] + 1, n_[run]) - 1);
        }
      }
      try_all(starts_of_shares(), low, high, unit, *base);
    }
  }

 private:
  const Series& series(size_t run) const { return search_.sequence.series[run]; }

  /// Where the first place begins: nowhere, unless some run shows it.
  std::optional<int64_t> first_start() const {
    std::optional<int64_t> base;
    for (const Series& one : search_.sequence.series)
      if (one.places[0] == 0) {
        if (base.value_or(one.values[0]) != one.values[0]) return std::nullopt;
        base = one.values[0];
      }
    return base.value_or(0);
  }

  /// What all values may be counted in: one by one, or what they have in common.
  std::set<int64_t> units(int64_t base) const {
    int64_t common = 0;
    for (const Series& one : search_.sequence.series)
      for (int64_t v : one.values) {
        int64_t more = trace::wrap_sub(v, base);
        common = more == INT64_MIN ? 1 : std::gcd(common, more);
      }
    std::set<int64_t> units{1};
    for (int64_t unit : {int64_t{4}, int64_t{8}, common})
      if (unit > 1 && common % unit == 0) units.insert(unit);
    return units;
  }

  void try_all(std::span<const Sharing> ways, Wide low, Wide high, int64_t unit, int64_t base) {
    if (low > high || high - low > most_totals) return;
    for (const Sharing& way : ways) {
      if (way.needs == Sharing::nothing) continue;
      std::vector<int64_t> totals;
      for (Wide total = low; total <= high; ++total)
        if (gives_all(way, static_cast<int64_t>(total), unit, base))
          totals.push_back(static_cast<int64_t>(total));
      if (totals.empty()) continue;
      auto price = [&](int64_t total) { return is_known(total) ? -1 : bits_of_number(total); };
      auto simplest = std::min_element(totals.begin(), totals.end(),
                                       [&](int64_t a, int64_t b) { return price(a) < price(b); });
      for (int64_t total : std::set<int64_t>{*simplest, totals.front(), totals.back()})
        offer(way, total, unit, base, total != *simplest);
    }
  }

  /// Of sizes that are all rounded down, or all up, there are simpler laws.
  bool gives_all(const Sharing& way, int64_t total, int64_t unit, int64_t base) const {
    bool more = way.is_start, less = way.is_start;
    for (size_t run = n_.size(); run-- > 0;) {
      const auto& [nprocs, k, v] = series(run);
      int64_t least = total / n_[run];
      for (size_t i = 0; i < v.size(); ++i) {
        int64_t value = way.of(total, n_[run], k[i]);
        if (wide_product(value, unit) + base != v[i]) return false;
        more |= value > least;
        less |= value * n_[run] < total;
      }
    }
    return more && less;
  }

  /// Whether something else is a share of it.
  bool is_known(int64_t total) const {
    for (const auto* shares : {&search_.knowledge.shares, &search_.knowledge.guesses})
      for (const auto& [known, parts] : *shares)
        if (known == total) return true;
    return false;
  }

  void offer(const Sharing& way, int64_t total, int64_t unit, int64_t base, bool second) {
    constexpr int of_known = 4, of_new = 7, telling = 16;
    RankExpression law = way.law(number(total), search_.sequence.size, place()) * number(unit) + number(base);
    int cost = (is_known(total) ? of_known : of_new + price_of_number(total)) + (unit == 1 ? 0 : 1) +
               (base == 0 ? 0 : 1) + (second ? 1 : 0);
    int gain = bits_of_values(search_.sequence) - bits_of_law(law);
    int runs = static_cast<int>(search_.sequence.series.size());
    search_.offer(law, cost, gain >= telling ? std::min(runs - 1, gain / telling) : 0);
  }

  Search& search_;
  std::vector<int64_t> n_;  ///< places, by run
};

}  // namespace

void partial_share_family(Search& s) {
  if (is_mask(s.sequence) || s.sequence.is_complete()) return;
  PartialShares shares(s);
  shares.sizes();
  shares.starts();
}

}  // namespace refrain::extrapolate
