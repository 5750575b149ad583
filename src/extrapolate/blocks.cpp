// Forms in which ranks share something. A total N goes to n ranks in equal parts if n divides it; if not,
// programs do one of a few things with what is left over, and each has its own law for the size of a part and
// for where it begins:
//
//   the first ranks get one more     size N/n + (k < N%n)          start k*(N/n) + min(k, N%n)
//   the last ranks get one more      size N/n + (k >= n - N%n)
//   the last rank gets the rest      size N/n + N%n on the last     start k*(N/n)
//   rounded down                     size (k+1)*N/n - k*N/n        start k*N/n
//   rounded up, the rest is less     size min(B, N - k*B), B = (N+n-1)/n
//
// N follows from the values themselves: the sizes add up to it; the starts show how many parts are longer, or
// bound it from both sides. Values may be multiples of a unit (bytes of an element), which is what the
// differences between parts have in common.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "base/wide.hpp"
#include "extrapolate/basis.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
int64_t unit_of(const Sequence& s, bool of_differences) {
  int64_t unit = 0;
  for (const Series& series : s.series)
    for (int64_t v : series.values) {
      int64_t x = of_differences ? trace::wrap_sub(v, series.values[0]) : v;
      if (x == INT64_MIN) return 0;
      unit = std::gcd(unit, x);
    }
  return unit;
}

std::vector<RankExpression> start_forms(const RankExpression& total, const RankExpression& n) {
  RankExpression k = place(), even = RankExpression::quotient(total, n),
                 rest = RankExpression::remainder(total, n);
  RankExpression up = RankExpression::quotient(total + n - number(1), n);
  return {k * even + RankExpression::minimum(k, rest), k * even, RankExpression::quotient(k * total, n),
          RankExpression::minimum(k * up, total), k * up};
}

namespace {

using trace::wrap_sub;

/// Whether one part is larger than another, at some number of ranks.
bool is_uneven(const Sequence& s) {
  return std::any_of(s.series.begin(), s.series.end(), [](const Series& series) {
    return std::any_of(series.values.begin(), series.values.end(),
                       [&](int64_t v) { return v != series.values[0]; });
  });
}

void offer_totals(Search& s, const std::vector<Observation>& totals, int64_t unit,
                  std::vector<RankExpression> (*forms)(const RankExpression&, const RankExpression&)) {
  if (totals.empty()) return;
  std::vector<Candidate> laws = fit_scalar(totals, s.knowledge.features);
  for (size_t i = 0; i < std::min<size_t>(laws.size(), 2); ++i) {
    size_t before = s.found.size();
    for (const RankExpression& form : forms(laws[i].law, s.sequence.size))
      s.offer_basis({form}, 7 + laws[i].cost + (unit == 1 ? 0 : 1));
    if (s.found.size() > before && laws[i].law.is_constant())
      s.knowledge.features.add_total(laws[i].law.number(), s.sequence.size);
  }
}

/// Sizes add up to the total.
void sizes(Search& s, int64_t unit) {
  std::vector<Observation> totals;
  for (const Series& series : s.sequence.series) {
    if (!s.sequence.is_complete(series)) continue;
    Wide sum = 0;
    for (int64_t v : series.values) {
      if (v < 0 || v % unit != 0) return;
      sum += v / unit;
    }
    if (sum > INT64_MAX) return;
    totals.push_back({series.nprocs, static_cast<int64_t>(sum)});
  }
  offer_totals(s, totals, unit, size_forms);
}

/// Starts show how many parts are longer.
void starts(Search& s) {
  std::vector<Observation> totals;
  int64_t unit = 0;
  for (const Series& series : s.sequence.series) {
    int64_t least = INT64_MAX, most = INT64_MIN, longer = 0;
    bool gaps = false;
    for (size_t i = 1; i < series.places.size(); ++i) {
      int64_t part = wrap_sub(series.values[i], series.values[i - 1]);
      gaps |= series.places[i] != series.places[i - 1] + 1;
      least = std::min(least, part);
      most = std::max(most, part);
    }
    if (gaps || series.places.size() < 3 || least == most || least < 0) continue;
    if (unit != 0 && unit != wrap_sub(most, least)) return;
    unit = wrap_sub(most, least);
    if (unit < 1 || least % unit != 0) return;
    for (size_t i = 1; i < series.places.size(); ++i)
      longer += wrap_sub(series.values[i], series.values[i - 1]) == most;
    Wide total = wide_product(least / unit, s.sequence.size_at(series.nprocs)) + longer + series.places[0];
    if (total > INT64_MAX) return;
    totals.push_back({series.nprocs, static_cast<int64_t>(total)});
  }
  offer_totals(s, totals, unit, start_forms);
}

/// Starts rounded down bound a total from both sides, be it constant or so much per rank. Where the first
/// rank has none, they count from 0.
void rounded_starts(Search& s, int64_t unit, bool per_rank) {
  Wide low = 1, high = Wide{1} << 61;
  for (const Series& series : s.sequence.series) {
    Wide n = s.sequence.size_at(series.nprocs), first = series.places[0] == 0 ? series.values[0] : 0;
    for (size_t i = 0; i < series.places.size(); ++i) {
      Wide k = Wide{series.places[i]} * (per_rank ? series.nprocs : 1);
      Wide parts = Wide{series.values[i]} - first;
      if (k == 0) continue;
      if (parts < 0 || parts % unit != 0) return;
      parts /= unit;
      low = std::max(low, (wide_product(parts, n) + k - 1) / k);
      high = std::min(high, (wide_product(parts + 1, n) - 1) / k);
    }
  }
  if (low > high || high - low > 1000000) return;
  for (Wide total : {low, high}) {
    RankExpression all = per_rank ? RankExpression::nprocs() * number(total) : number(total);
    RankExpression form = RankExpression::quotient(place() * all, s.sequence.size);
    s.offer_basis({form}, (low == high ? 8 : 9));
  }
}

}  // namespace

std::vector<RankExpression> size_forms(const RankExpression& total, const RankExpression& n) {
  RankExpression k = place(), even = RankExpression::quotient(total, n),
                 rest = RankExpression::remainder(total, n);
  RankExpression up = RankExpression::quotient(total + n - number(1), n);
  RankExpression left = RankExpression::minimum(up, total - k * up);
  return {even + RankExpression::less(k, rest), even + RankExpression::at_least(k, n - rest),
          RankExpression::quotient((k + number(1)) * total, n) - RankExpression::quotient(k * total, n),
          RankExpression::select(RankExpression::less(k * up, total), left, number(0))};
}

namespace {

/// The sum of all values of a run; nothing if not all are known, or it is too large.
std::optional<Wide> sum_of(const Series& series, const Sequence& s) {
  constexpr Wide largest = INT64_MAX / 2;
  Wide sum = 0;
  for (int64_t v : series.values) sum += v;
  return s.is_complete(series) && sum < largest && sum > -largest ? std::optional(sum) : std::nullopt;
}

/// What is shared, and what each has besides, if sums are a total and so much for each place.
struct SharedTotal {
  int64_t total = 0, each = 0;
};
std::optional<SharedTotal> total_and_each(const Sequence& s) {
  std::optional<Wide> first = sum_of(s.series.front(), s), last = sum_of(s.series.back(), s);
  int64_t few = s.size_at(s.series.front().nprocs), many = s.size_at(s.series.back().nprocs);
  if (!first || !last) return std::nullopt;
  Wide more = *last - *first;
  if (more != 0 && (many == few || more % (many - few) != 0)) return std::nullopt;
  Wide each = more == 0 ? 0 : more / (many - few), total = *first - wide_product(each, few);
  bool all = std::all_of(s.series.begin(), s.series.end(), [&](const Series& series) {
    return sum_of(series, s) == total + wide_product(each, s.size_at(series.nprocs));
  });
  if (!all || total <= 0 || total > INT64_MAX) return std::nullopt;
  return SharedTotal{static_cast<int64_t>(total), static_cast<int64_t>(each)};
}

}  // namespace

/// Parts of the same total at all numbers of ranks are shares of it, more plausibly than anything else; also
/// if each has so much besides. What the last rank gets besides its share is what is left of the total:
/// quantities for other families.
void total_family(Search& s) {
  if (is_mask(s.sequence) || !is_uneven(s.sequence)) return;
  std::optional<SharedTotal> shared = total_and_each(s.sequence);
  int64_t unit = unit_of(s.sequence, false);
  if (!shared || unit == 0 || shared->total % unit != 0) return;
  int64_t total = shared->total / unit;
  int cost = (unit == 1 ? 3 : 4) + (shared->each == 0 ? 0 : 2);
  if (shared->each == 0) s.knowledge.features.add_total(total, s.sequence.size);
  std::vector<RankExpression> forms = size_forms(number(total), s.sequence.size);
  s.offer_basis({forms.front()}, cost);
  s.offer_basis({forms.back()}, cost + 1);
}

void block_family(Search& s) {
  if (is_mask(s.sequence) || !is_uneven(s.sequence)) return;
  int64_t of_values = unit_of(s.sequence, false), of_differences = unit_of(s.sequence, true);
  for (int64_t unit : {of_differences, of_values})
    if (unit > 0) sizes(s, unit);
  starts(s);
  if (of_differences > 0) rounded_starts(s, of_differences, false);
  if (of_differences > 0 && !(s.sequence.size == RankExpression::nprocs()))
    rounded_starts(s, of_differences, true);
}

namespace {

/// Whether a law begins at 0 or later and doesn't decrease; at 0, if no run shows two places.
bool is_start(const RankExpression& law, const Sequence& s) {
  bool single =
      std::all_of(s.series.begin(), s.series.end(), [](const Series& x) { return x.places.size() == 1; });
  return std::all_of(s.series.begin(), s.series.end(), [&](const Series& series) {
    auto at = [&](int64_t k) {
      return law.at(RankExpression::Point{.rank = static_cast<uint32_t>(k), .nprocs = series.nprocs});
    };
    int64_t first = at(0), last = at(s.size_at(series.nprocs) - 1);
    return (single ? first == 0 : first >= 0) && last >= first;
  });
}

}  // namespace

/// Where shares begin whose sizes are known from elsewhere in the trace, and the other way round. Something
/// may stand before the first of them; where a single rank shows where its share begins, that could be made
/// to fit any total.
void known_share_family(Search& s) {
  const RankExpression& n = s.sequence.size;
  auto as_many = [&](const RankExpression& parts) {
    const std::vector<Series>& all = s.sequence.series;
    return std::all_of(all.begin(), all.end(), [&](const Series& series) {
      return parts.at(RankExpression::Point{.nprocs = series.nprocs}) == s.sequence.size_at(series.nprocs);
    });
  };
  for (const auto& [total, parts] : s.knowledge.shares)
    if (as_many(parts) && is_uneven(s.sequence))
      for (const RankExpression& form : size_forms(number(total), n)) s.offer_basis({form}, 3);
  size_t before = s.found.size();
  for (const auto& [total, parts] : s.knowledge.shares)
    if (as_many(parts))
      for (const RankExpression& form : start_forms(number(total), n)) s.offer_basis({form}, 0);
  if (s.depth > 0) return;
  s.found.erase(std::remove_if(s.found.begin() + static_cast<std::ptrdiff_t>(before), s.found.end(),
                               [&](const Candidate& c) { return !is_start(c.law, s.sequence); }),
                s.found.end());
}

/// Ranks in groups of neighbors whose sizes differ by one: the number of a group, its first rank, its size,
/// and who is first.
void group_family(Search& s) {
  if (s.depth > 0) return;
  const RankExpression k = place(), &n = s.sequence.size;
  bool plain = is_plain(s.sequence);  // then only the size of groups may be seen
  std::vector<Feature> counts;
  for (int64_t m : {2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32}) {
    counts.push_back({(n + number(m - 1)) / m, 2});
    counts.push_back({n / m, 2});
    counts.push_back({number(m), 1});
  }
  counts.push_back({RankExpression::root(n, 2), 2});
  for (const auto& [groups, cost] : counts) {
    bool possible = true, several = false;
    for (const Series& series : s.sequence.series) {
      int64_t a = groups.at(RankExpression::Point{.nprocs = series.nprocs}),
              size = s.sequence.size_at(series.nprocs);
      possible &= a >= 1 && a <= size;
      several |= a > 1;
    }
    if (!possible || !several) continue;
    RankExpression each = RankExpression::quotient(n, groups), more = RankExpression::remainder(n, groups);
    RankExpression edge = more * (each + number(1));
    RankExpression group =
        RankExpression::select(RankExpression::less(k, edge), RankExpression::quotient(k, each + number(1)),
                               more + RankExpression::quotient(k - edge, each));
    RankExpression first = group * each + RankExpression::minimum(group, more);
    RankExpression members = each + RankExpression::less(group, more);
    size_t before = s.found.size();
    if (!plain) s.offer_basis({first}, 9 + cost);
    s.offer_basis({members}, 9 + cost);
    bool numbered = false;
    if (!plain) {
      for (const RankExpression& form : {k - first, RankExpression::equal(k, first)})
        s.offer_basis({form}, 9 + cost);
      s.offer_basis({group, k - first}, 10 + cost);
      numbered = holds(group, s.sequence);
    }
    bool shows_groups = numbered || s.found.size() > before;
    if (numbered) s.offer(group, 5 + cost, static_cast<int>(distinct_sizes(s.sequence)) - 1);
    if (!plain) s.offer_basis({group}, 9 + cost);
    if (!shows_groups) continue;  // multiples of a number of groups may be something else
    for (const RankExpression& law : {group, first, members}) s.knowledge.learn(law);
  }
}

/// Laws found elsewhere in the trace: a multiple of one, a part of one cut into chunks, sums and products.
void known_family(Search& s) {
  if (s.depth > 0) return;
  std::vector<RankExpression> laws;
  for (const RankExpression& law : s.knowledge.laws)
    if (!holds(law, s.sequence)) laws.push_back(law);  // else it explains the sequence by itself
  size_t n = std::min<size_t>(laws.size(), 16);
  for (const RankExpression& law : laws) s.offer_basis({law}, 6);
  if (s.cheapest() <= 8) return;
  for (size_t i = 0; i < n; ++i) {
    for (int64_t m : s.knowledge.chunks) {
      s.offer_basis({laws[i] / m}, 7);
      s.offer_basis({(laws[i] + number(m - 1)) / m}, 7);
      s.offer_basis({laws[i] % m}, 7);
    }
    for (size_t j = i; j < n; ++j) {
      s.offer_basis({laws[i] * laws[j]}, 8);
      if (i != j) s.offer_basis({laws[i], laws[j]}, 8);
      for (size_t l = j; l < n && s.found.empty(); ++l) s.offer_basis({laws[i] * laws[j] * laws[l]}, 9);
    }
  }
}

}  // namespace refrain::extrapolate
