// Forms of a sequence as a whole: lines, points, steps, curves, shifts. The parameters of a form (where a
// step is, by how much is shifted) are read off the values of each run and are integers with laws of their
// own. Most sequences have none of these forms: where the values alone tell so, no law is made up.
#include <algorithm>
#include <optional>

#include "base/wide.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
namespace {

constexpr int64_t furthest_shift = 64;
constexpr size_t most_laws = 6;  ///< laws of a place

/// The laws of a place that each series has or hasn't; none if too few have it.
template <class Find>
std::vector<Candidate> laws_of_place(const Search& s, Find find) {
  std::vector<Observation> seen;
  for (const Series& series : s.sequence.series)
    if (std::optional<int64_t> at = find(series)) seen.push_back({series.nprocs, *at});
  if (seen.empty()) return {};
  std::vector<Candidate> laws = fit_scalar(seen, s.knowledge.features);
  if (laws.size() > most_laws) laws.resize(most_laws);
  return laws;
}

/// The first place where the line of the first two values is left.
std::optional<int64_t> end_of_line(const Series& series) {
  const auto& [nprocs, k, v] = series;
  if (k.size() < 3) return std::nullopt;
  int64_t dk = int64_t{k[1]} - k[0], dv = trace::wrap_sub(v[1], v[0]);
  for (size_t i = 2; i < k.size(); ++i)
    if (trace::wrap_mul(trace::wrap_sub(v[i], v[0]), dk) != trace::wrap_mul(dv, int64_t{k[i]} - k[0]))
      return k[i];
  return std::nullopt;
}

/// Whether the values of a series may be c0 + c1·f(place), of those places that are asked for.
template <class Function, class Which>
bool may_follow(const Series& series, Function f, Which which) {
  const auto& [nprocs, k, v] = series;
  std::optional<size_t> first, other;
  for (size_t i = 0; i < k.size(); ++i) {
    if (!which(k[i])) continue;
    if (!first) {
      first = i;
      continue;
    }
    Wide df = Wide{f(k[i])} - f(k[*first]), dv = Wide{v[i]} - v[*first];
    if (!other && df == 0 && dv != 0) return false;
    if (!other && df != 0) other = i;
    if (!other) continue;
    Wide f_unit = Wide{f(k[*other])} - f(k[*first]), v_unit = Wide{v[*other]} - v[*first];
    if (wide_product(df, v_unit) != wide_product(dv, f_unit)) return false;
  }
  return true;
}

/// The same for all series; f takes the place, and the number of places there are, which are `sizes`.
template <class Function>
bool may_follow(const Sequence& s, const std::vector<int64_t>& sizes, Function f) {
  return std::all_of(s.series.rbegin(), s.series.rend(), [&](const Series& series) {
    int64_t n = sizes[static_cast<size_t>(&series - s.series.data())];
    return n < 1 || may_follow(
                        series, [&](int64_t k) { return f(k, n); }, [](int64_t) { return true; });
  });
}

/// Whether the values of all series are on a line, but for the first and the last place.
bool may_be_points(const Search& s) {
  return std::all_of(s.sequence.series.rbegin(), s.sequence.series.rend(), [&](const Series& series) {
    int64_t last = s.sequence.size_at(series.nprocs) - 1;
    return may_follow(
        series, [](int64_t k) { return k; }, [&](int64_t k) { return k != 0 && k != last; });
  });
}

/// How far the series is shifted, if it is: value = place + that, modulo the number of places.
std::optional<int64_t> shift_of(const Series& series, int64_t n) {
  if (n < 2) return std::nullopt;
  std::optional<int64_t> by;
  for (size_t i = 0; i < series.places.size(); ++i) {
    if (series.values[i] < 0 || series.values[i] >= n) return std::nullopt;
    int64_t here = (series.values[i] + n - series.places[i] % n) % n;
    if (by && *by != here) return std::nullopt;
    by = here;
  }
  return by;
}

/// Whether all series that leave the line they begin with are on another one from there on, or from `back`
/// places before.
bool may_be_steps(const Search& s, int64_t back) {
  return std::all_of(s.sequence.series.begin(), s.sequence.series.end(), [&](const Series& series) {
    std::optional<int64_t> edge = end_of_line(series);
    return !edge || may_follow(
                        series, [](int64_t k) { return k; }, [&](int64_t k) { return k >= *edge - back; });
  });
}

/// Whether all series that leave the line they begin with are one that was turned: what comes from there on,
/// then the first values.
bool may_be_turned(const Search& s) {
  return std::all_of(s.sequence.series.begin(), s.sequence.series.end(), [&](const Series& series) {
    std::optional<int64_t> edge = end_of_line(series);
    int64_t n = s.sequence.size_at(series.nprocs);
    return !edge || n < 1 ||
           may_follow(
               series, [&](int64_t k) { return (k + n - *edge) % n; }, [](int64_t) { return true; });
  });
}

/// Constants by which all series may be shifted. Where there is one place or none, any shift is the same.
std::vector<int64_t> constant_shifts(const Sequence& s, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> out;
  std::vector<std::optional<int64_t>> shifts;
  for (size_t i = 0; i < sizes.size(); ++i) {
    shifts.push_back(shift_of(s.series[i], sizes[i]));
    if (sizes[i] >= 2 && !shifts.back()) return out;
  }
  for (int64_t by = 2; by <= furthest_shift; ++by) {
    bool fits = true;
    for (size_t i = 0; i < sizes.size(); ++i) fits &= sizes[i] < 2 || shifts[i] == by % sizes[i];
    if (fits) out.push_back(by);
  }
  return out;
}

/// The first place with another value than the first.
std::optional<int64_t> end_of_run(const Series& series) {
  for (size_t i = 1; i < series.values.size(); ++i)
    if (series.values[i] != series.values[0]) return series.places[i];
  return std::nullopt;
}

/// How many places have the same value, if values are numbers of groups and can be so for one length only.
std::optional<int64_t> group_length(const Series& series) {
  int64_t least = 1, most = INT64_MAX;
  for (size_t i = 0; i < series.places.size(); ++i) {
    int64_t k = series.places[i], v = series.values[i];
    if (v < 0 || v > k) return std::nullopt;
    least = std::max(least, k / (v + 1) + 1);
    if (v > 0) most = std::min(most, k / v);
  }
  return least == most ? std::optional(least) : std::nullopt;
}

std::ptrdiff_t runs_with_length(const Sequence& s) {
  return std::count_if(s.series.begin(), s.series.end(),
                       [](const Series& series) { return group_length(series).has_value(); });
}

/// How many different values there are, up to 4. A line with exceptions that has as many constants as there
/// are values is no law.
size_t distinct_values(const Sequence& s) {
  constexpr size_t enough = 4;
  std::vector<int64_t> values;
  for (const Series& series : s.series)
    for (int64_t v : series.values)
      if (values.size() < enough && std::find(values.begin(), values.end(), v) == values.end())
        values.push_back(v);
  return values.size();
}

/// Whether the first places are known, as many as have a value.
bool is_beginning(const Sequence& s) {
  return std::all_of(s.series.begin(), s.series.end(),
                     [](const Series& series) { return series.places.back() == series.places.size() - 1; });
}

/// The place of the one value that differs from all others.
std::optional<int64_t> odd_place(const Series& series) {
  const std::vector<int64_t>& v = series.values;
  if (v.size() < 3) return std::nullopt;
  int64_t usual = v[0] == v[1] || v[0] == v[2] ? v[0] : v[1];
  std::optional<int64_t> odd;
  for (size_t i = 0; i < v.size(); ++i) {
    if (v[i] == usual) continue;
    if (odd) return std::nullopt;
    odd = series.places[i];
  }
  return odd;
}

/// The first and the last place stand apart.
void points(Search& s) {
  RankExpression first = RankExpression::equal(place(), number(0));
  RankExpression last = RankExpression::equal(place(), s.sequence.size - number(1));
  s.offer_basis({first}, 3);
  s.offer_basis({last}, 3);
  s.offer_basis({first, last}, 5);
  if (is_mask(s.sequence))  // neither the first nor the last, which may be the same
    s.offer(RankExpression::both(RankExpression::at_least(place(), number(1)),
                                 RankExpression::less(place(), s.sequence.size - number(1))),
            5, static_cast<int>(distinct_sizes(s.sequence)) - 1);
  size_t values = distinct_values(s.sequence);
  if (values >= 3) s.offer_basis({place(), first}, 4);
  if (values >= 3) s.offer_basis({place(), last}, 4);
  if (values >= 4) s.offer_basis({place(), first, last}, 6);
}

}  // namespace

void line_family(Search& s) {
  s.offer_basis({}, 0);
  s.offer_basis({place()}, 1);
}

void point_family(Search& s) {
  if (may_be_points(s)) points(s);
  for (const Candidate& at : laws_of_place(s, odd_place))
    s.offer_basis({RankExpression::equal(place(), at.law)}, 4 + at.cost);
}

void step_family(Search& s) {
  for (const Candidate& at : laws_of_place(s, end_of_run))
    s.offer_basis({RankExpression::less(place(), at.law)}, 4 + at.cost);
  if (!is_mask(s.sequence) && is_beginning(s.sequence))
    for (const Candidate& length : laws_of_place(s, end_of_run))
      s.offer_basis({RankExpression::quotient(place(), length.law)}, 3 + length.cost);
  if (!is_mask(s.sequence) && runs_with_length(s.sequence) >= 3)
    for (const Candidate& length : laws_of_place(s, group_length))
      s.offer(RankExpression::quotient(place(), length.law), 4 + length.cost, length.spare);
  if (distinct_values(s.sequence) < 3) return;
  std::vector<Candidate> edges = laws_of_place(s, end_of_line);
  for (int64_t back : {0, 1}) {
    if (!may_be_steps(s, back)) continue;
    for (const Candidate& at : edges) {
      RankExpression edge = at.law - number(back), before = RankExpression::less(place(), edge);
      int cost = at.cost + static_cast<int>(back);
      s.offer_basis({place(), RankExpression::minimum(place(), edge)}, 5 + cost);
      s.offer_basis({place(), before}, 5 + cost);
      s.offer_basis({place(), before, before * place()}, 7 + cost);
    }
  }
}

/// By what differences grow between the first ranks of the first run that has three; 0 if they don't.
int64_t ratio_of(const Sequence& sequence) {
  for (const Series& series : sequence.series) {
    if (series.values.size() < 3 || series.places[2] != 2) continue;
    int64_t before = 0, after = 0;
    if (__builtin_sub_overflow(series.values[1], series.values[0], &before) ||
        __builtin_sub_overflow(series.values[2], series.values[1], &after))
      return 0;
    return before == 0 || before == -1 || after % before != 0 ? 0 : after / before;
  }
  return 0;
}

void curve_family(Search& s) {
  s.offer_basis({place() * (place() - number(1)) / 2, place()}, 4);
  s.offer_basis({RankExpression::power_of_two(place())}, 3);
  if (int64_t ratio = ratio_of(s.sequence); ratio > 2)
    s.offer_basis({RankExpression::power(ratio, place())}, 3);
}

/// How often a rank of a binomial tree receives before it sends. Rank 12 of 20 has two zeros at its end and
/// receives from 13 and 14.
void tree_family(Search& s) {
  if (s.depth > 0) return;
  const RankExpression zeros = RankExpression::logarithm(place() & (RankExpression() - place()));
  auto rounds = [](const RankExpression& n) { return RankExpression::logarithm(n * number(2) - number(1)); };
  const RankExpression& n = s.sequence.size;
  s.offer_basis({RankExpression::select(RankExpression::equal(place(), number(0)), rounds(n),
                                        RankExpression::minimum(zeros, rounds(n - place())))},
                7);
}

void shift_family(Search& s) {
  const RankExpression& n = s.sequence.size;
  if (may_be_turned(s))
    for (const Candidate& at : laws_of_place(s, end_of_line))
      s.offer_basis({RankExpression::remainder(place() + n - at.law, n)}, 4 + at.cost);
  std::vector<int64_t> sizes;
  for (const Series& series : s.sequence.series) sizes.push_back(s.sequence.size_at(series.nprocs));
  auto shift = [&](const Series& series) { return shift_of(series, s.sequence.size_at(series.nprocs)); };
  std::vector<Candidate> shifts = laws_of_place(s, shift);
  auto back = [&](const Series& series) -> std::optional<int64_t> {
    std::optional<int64_t> by = shift(series);
    return by ? std::optional(s.sequence.size_at(series.nprocs) - *by) : by;
  };
  for (Candidate& by : laws_of_place(s, back)) {
    by.law = n - by.law;
    shifts.push_back(std::move(by));
  }
  for (int64_t by : constant_shifts(s.sequence, sizes)) {
    // Runs of fewer ranks show only what is left of it: together they have such a shift whatever they do.
    auto shown = std::count_if(sizes.begin(), sizes.end(), [&](int64_t size) { return size > by; });
    shifts.push_back({number(by), 1, std::max(0, static_cast<int>(shown) - 1)});
  }
  for (const Candidate& by : shifts)
    s.offer(RankExpression::remainder(place() + by.law, n), 5 + by.cost, by.spare);
  for (int64_t by : {1, 2, 3, 4}) {
    if (may_follow(s.sequence, sizes, [&](int64_t k, int64_t size) { return (k + by) % size; }))
      s.offer_basis({RankExpression::remainder(place() + number(by), n)}, 5);
    if (may_follow(s.sequence, sizes, [&](int64_t k, int64_t size) { return (k + size - by) % size; }))
      s.offer_basis({RankExpression::remainder(place() + (n - number(by)), n)}, 5);
  }
  for (int64_t mask : {1, 2, 4, 8, 16})
    if (may_follow(s.sequence, sizes, [&](int64_t k, int64_t) { return k ^ mask; }))
      s.offer_basis({place() ^ number(mask)}, 5);
  if (may_follow(s.sequence, sizes, [](int64_t k, int64_t size) { return k ^ (size / 2); }))
    s.offer_basis({place() ^ (n / 2)}, 5);
  if (may_follow(s.sequence, sizes, [](int64_t k, int64_t size) { return k ^ (size - 1); }))
    s.offer_basis({place() ^ (n - number(1))}, 5);
}

/// Which ranks run a node may change with the number of ranks alone: loops that fold otherwise at small
/// sizes, calls that few ranks don't need. Where exactly is known up to the gap between two runs.
void threshold_family(Search& s) {
  if (!is_mask(s.sequence) || s.depth > 0) return;
  const std::vector<Series>& all = s.sequence.series;
  auto constant = [](const Series& series) {
    return std::all_of(series.values.begin(), series.values.end(),
                       [&](int64_t v) { return v == series.values[0]; });
  };
  for (size_t from = 1; from < all.size(); ++from) {
    if (!constant(all[from - 1])) return;
    int64_t below = all[0].values[0];
    if (all[from - 1].values[0] != below) return;
    Sequence rest{{all.begin() + static_cast<std::ptrdiff_t>(from), all.end()}, s.sequence.size};
    std::vector<Candidate> laws = fit(rest, s.knowledge, s.depth + 1);
    if (laws.empty() || (laws[0].law.is_constant(below))) continue;
    for (int64_t edge : {all[from].nprocs, all[from - 1].nprocs + 1}) {
      RankExpression small = RankExpression::less(RankExpression::nprocs(), number(edge));
      s.offer(RankExpression::select(small, number(below), laws[0].law), laws[0].cost + 9, laws[0].spare - 1);
    }
    return;
  }
}

}  // namespace refrain::extrapolate
