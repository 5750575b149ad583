// Forms made of digits. A rank of a 3-D grid has three digits, rank%x, rank/x%y and rank/(x*y), where the
// extents are laws of the number of ranks; ranks in groups of 8 have two. If the values of a sequence are
// sums
//
//     v[k] = f[k%m] + g[k/m]
//
// at every number of ranks, f and g are sequences themselves, of sizes m and n/m, and the search goes on with
// them. Values may be missing: f and g are found by walking from digit to digit over the values that are
// there. Conditions are products instead of sums: k%m is the last and k/m is not the first.
#include <algorithm>
#include <map>
#include <optional>

#include "extrapolate/basis.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/scalar.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::wrap_add;
using trace::wrap_sub;

constexpr size_t longest_period = 64;

RankExpression at_place(const RankExpression& law, const RankExpression& k) {
  return scale::substituted(law, trace::Variable::rank, k);
}

/// The values of a digit that are known.
class Known {
 public:
  explicit Known(size_t size) : values_(size), known_(size) {}

  bool has(size_t digit) const { return known_[digit]; }
  int64_t operator[](size_t digit) const { return values_[digit]; }
  void set(size_t digit, int64_t value) {
    values_[digit] = value;
    known_[digit] = true;
  }
  Series series(int64_t nprocs) const {
    Series out{.nprocs = nprocs};
    for (uint32_t k = 0; k < values_.size(); ++k)
      if (known_[k]) {
        out.places.push_back(k);
        out.values.push_back(values_[k]);
      }
    return out;
  }

 private:
  std::vector<int64_t> values_;
  std::vector<bool> known_;
};

/// Nothing known yet of the digits of a series with base m, the low and the high one.
std::pair<Known, Known> unknown_digits(const Series& s, uint32_t m) {
  uint32_t last = s.places.back();
  return {Known(std::min<size_t>(m, size_t{last} + 1)), Known(last / m + size_t{1})};
}

/// A sequence cut at a base.
struct Digits {
  RankExpression base{};
  int cost = 0;
  Sequence low{}, high{};
};

/// f and g of one series with base m.
std::optional<std::pair<Known, Known>> split_sum(const Series& s, uint32_t m) {
  auto digits = unknown_digits(s, m);
  auto& [f, g] = digits;
  std::vector<bool> done(s.places.size(), false);
  bool fresh = true;  // nothing is connected with what is known: begin anew
  for (size_t left = s.places.size(); left > 0;) {
    size_t before = left;
    for (size_t i = 0; i < s.places.size(); ++i) {
      if (done[i]) continue;
      uint32_t low = s.places[i] % m, high = s.places[i] / m;
      if (!f.has(low) && !g.has(high)) {
        if (!fresh) continue;
        g.set(high, 0);
        fresh = false;
      }
      if (!f.has(low))
        f.set(low, wrap_sub(s.values[i], g[high]));
      else if (!g.has(high))
        g.set(high, wrap_sub(s.values[i], f[low]));
      else if (wrap_add(f[low], g[high]) != s.values[i])
        return std::nullopt;
      done[i] = true;
      --left;
    }
    fresh = before == left;
  }
  return digits;
}

/// f and g of one series of conditions. Where none of them holds, nothing is known of either.
std::optional<std::pair<Known, Known>> split_product(const Series& s, uint32_t m) {
  auto digits = unknown_digits(s, m);
  auto& [f, g] = digits;
  if (std::find(s.values.begin(), s.values.end(), 1) == s.values.end()) return digits;
  for (size_t i = 0; i < s.places.size(); ++i) {
    uint32_t low = s.places[i] % m, high = s.places[i] / m;
    f.set(low, f[low] | s.values[i]);
    g.set(high, g[high] | s.values[i]);
  }
  for (size_t i = 0; i < s.places.size(); ++i)
    if ((f[s.places[i] % m] & g[s.places[i] / m]) != s.values[i]) return std::nullopt;
  return digits;
}

/// Cuts all series, if that works at every number of ranks and isn't trivial at all of them.
template <class Split>
std::optional<Digits> cut(const Sequence& s, const Feature& base, Split split) {
  Digits out{base.law, base.cost};
  bool cuts = false, exact = true;
  for (const Series& series : s.series) {
    int64_t m = base.law.at(RankExpression::Point{.nprocs = series.nprocs}), n = s.size_at(series.nprocs);
    if (m < 1 || m > INT32_MAX) return std::nullopt;
    auto parts = split(series, static_cast<uint32_t>(m));
    if (!parts) return std::nullopt;
    cuts |= m > 1 && m < n;
    exact &= n % m == 0;
    Series low = parts->first.series(series.nprocs), high = parts->second.series(series.nprocs);
    if (low.places.empty() || high.places.empty()) continue;
    out.low.series.push_back(std::move(low));
    out.high.series.push_back(std::move(high));
  }
  if (!cuts) return std::nullopt;
  out.low.size = base.law;
  RankExpression all = exact ? s.size : s.size + base.law - number(1);
  out.high.size = RankExpression::quotient(all, base.law);
  return out;
}

/// Of a sum, either part may have what both have in common. Where only the high digit matters, it has all: so
/// a share of a total can be seen to be one.
void give_all_to_high(Digits& digits) {
  std::vector<Series>& low = digits.low.series;
  bool idle = std::all_of(low.begin(), low.end(), [](const Series& series) {
    return std::all_of(series.values.begin(), series.values.end(),
                       [&](int64_t v) { return v == series.values[0]; });
  });
  if (!idle) return;
  for (size_t i = 0; i < low.size(); ++i) {
    for (int64_t& v : digits.high.series[i].values) v = wrap_add(v, low[i].values[0]);
    low[i].values.assign(low[i].values.size(), 0);
  }
}

/// Whether an extent cuts the places into equal rows at every number of ranks, as those of a grid do.
bool divides(const Feature& extent, const Sequence& s) {
  return !s.size.is_constant() && std::all_of(s.series.begin(), s.series.end(), [&](const Series& series) {
    int64_t m = extent.law.at(RankExpression::Point{.nprocs = series.nprocs});
    return m >= 1 && s.size_at(series.nprocs) % m == 0;
  });
}

/// After how many places the values of a series begin anew; as many as there are if they don't.
int64_t period_of(const Series& series) {
  const std::vector<int64_t>& v = series.values;
  for (size_t m = 1; m < v.size(); ++m)
    if (std::equal(v.begin() + static_cast<std::ptrdiff_t>(m), v.end(), v.begin()))
      return static_cast<int64_t>(m);
  return std::ssize(v);
}

/// A law of the periods of all series, where several show theirs: groups with a number of places each.
std::optional<Feature> period_law(const Search& s) {
  std::vector<Observation> periods;
  for (const Series& series : s.sequence.series)
    if (int64_t m = period_of(series); m > 1 && 2 * m <= std::ssize(series.values) + 1)
      periods.push_back({series.nprocs, m});
  if (periods.size() < 3) return std::nullopt;
  const std::vector<Candidate>& laws = fit_scalar(periods, s.knowledge.features);
  bool found = !laws.empty() && !laws[0].law.is_constant();
  return found ? std::optional(Feature{laws[0].law, laws[0].cost}) : std::nullopt;
}

/// How long groups of neighbors are, the last of which may be shorter: as elsewhere in the trace, as many as
/// there are groups, or as values begin anew.
std::vector<Feature> lengths_of_groups(const Search& s) {
  if (s.depth > 0 || !s.sequence.is_complete()) return {};
  const RankExpression& n = s.sequence.size;
  std::vector<Feature> lengths{{RankExpression::root(n, 2), 2},
                               {RankExpression::root(n - number(1), 2) + number(1), 3},
                               {(RankExpression::root(n * number(4), 2) + number(1)) / 2, 3}};
  auto add = [&](const Feature& length) {
    auto same = [&](const Feature& f) { return f.law == length.law; };
    if (std::none_of(lengths.begin(), lengths.end(), same)) lengths.push_back(length);
  };
  for (const RankExpression& law : s.knowledge.laws)
    if (law.operation() == trace::Operation::quotient && law.operand(0) == place() &&
        !law.operand(1).depends_on(trace::Variable::rank))
      add({law.operand(1), 2});
  if (auto period = period_law(s)) add(*period);
  return lengths;
}

/// Extents of grids, lengths of groups, then small numbers: the first that works, and, where all places are
/// known, its multiples. (Where ranks stand in groups of four, groups of two work as well: rank/4 is
/// rank/2/2.)
template <class Use>
void for_bases(const Search& s, Use use) {
  for (const Feature& extent : s.knowledge.features.extents())
    if (divides(extent, s.sequence)) use(extent);
  for (const Feature& length : lengths_of_groups(s))
    if (!divides(length, s.sequence)) use(length);
  bool complete = s.sequence.is_complete();
  int64_t largest = 0;
  for (const Series& series : s.sequence.series)
    largest = std::max(largest, s.sequence.size_at(series.nprocs));
  int64_t step = 1, last = std::min<int64_t>(largest / 2, longest_period);
  for (int64_t m = 2; m <= last; m += step)
    if (use(Feature{number(m), 1}) && step == 1 && complete) step = m;
}

/// Laws of the low and of the high digit, the simplest first; nothing unless both have some within a budget.
template <class Split>
std::optional<std::pair<std::vector<Candidate>, std::vector<Candidate>>> laws_of_digits(
    Search& s, const Feature& base, Split split, int budget = any_cost) {
  if (budget < 0) return std::nullopt;
  auto digits = cut(s.sequence, base, split);
  if (!digits) return std::nullopt;
  if (split == split_sum) give_all_to_high(*digits);
  std::vector<Candidate> low = fit(digits->low, s.knowledge, s.depth + 1, budget);
  if (low.empty() || low[0].cost > budget) return std::nullopt;
  int left = budget == any_cost ? any_cost : budget - low[0].cost;
  std::vector<Candidate> high = fit(digits->high, s.knowledge, s.depth + 1, left);
  if (high.empty()) return std::nullopt;
  return std::pair(std::move(low), std::move(high));
}

int spare_of(const Candidate& a, const Candidate& b) { return std::min(a.spare, b.spare); }

/// Whether a law takes the digits of its place in a grid.
bool has_grid_digits(const RankExpression& law) {
  bool digit =
      law.operation() == trace::Operation::remainder || law.operation() == trace::Operation::quotient;
  if (digit && law.operand(0) == place() && uses_grid(law.operand(1), 3)) return true;
  for (size_t i = 0; i < law.operands(); ++i)
    if (has_grid_digits(law.operand(i))) return true;
  return false;
}

/// A grid of three dimensions gives three digits: where all that is left of them are two, a grid of two is
/// simpler.
int cost_of_flattening(const Feature& base, const Candidate& low, const Candidate& high) {
  bool flat = uses_grid(base.law, 3) && low.law.depends_on(trace::Variable::rank) &&
              high.law.depends_on(trace::Variable::rank) && !has_grid_digits(low.law) &&
              !has_grid_digits(high.law);
  return flat ? 1 : 0;
}

}  // namespace

void digit_family(Search& s) {
  if (s.depth >= max_depth) return;
  for_bases(s, [&](const Feature& base) {
    int limit = s.limit(), cost_of_cut = base.cost + 2;
    auto laws = laws_of_digits(s, base, split_sum, limit == any_cost ? any_cost : limit - cost_of_cut);
    if (!laws) return false;
    const auto& [low, high] = *laws;
    RankExpression low_digit = RankExpression::remainder(place(), base.law);
    RankExpression high_digit = RankExpression::quotient(place(), base.law);
    auto offer = [&](const Candidate& f, const Candidate& g) {
      s.offer(at_place(g.law, high_digit) + at_place(f.law, low_digit),
              f.cost + g.cost + cost_of_cut + cost_of_flattening(base, f, g), spare_of(f, g));
    };
    for (const Candidate& f : low) offer(f, high[0]);
    for (size_t i = 1; i < high.size(); ++i) offer(low[0], high[i]);
    return true;
  });
}

namespace {

void conjunctions(Search& s) {
  for_bases(s, [&](const Feature& base) {
    auto laws = laws_of_digits(s, base, split_product);
    if (!laws) return false;
    const auto& [low, high] = *laws;
    RankExpression f = at_place(low[0].law, RankExpression::remainder(place(), base.law));
    RankExpression g = at_place(high[0].law, RankExpression::quotient(place(), base.law));
    size_t before = s.found.size();
    s.offer(RankExpression::both(g, f), low[0].cost + high[0].cost + base.cost + 4,
            spare_of(low[0], high[0]));
    return s.found.size() > before;
  });
}

}  // namespace

/// Where conditions on digits hold together; or where they don't, as at the rim of a mesh.
void conjunction_family(Search& s) {
  if (s.depth >= max_depth || !is_mask(s.sequence)) return;
  conjunctions(s);
  if (s.depth > 0 || !s.found.empty()) return;
  Sequence others = s.sequence;
  for (Series& series : others.series)
    for (int64_t& v : series.values) v = 1 - v;
  Search inside{others, s.knowledge, s.depth, s.budget};
  conjunctions(inside);
  for (const Candidate& c : inside.found)
    s.offer(RankExpression::equal(c.law, number(0)), c.cost + 1, c.spare);
}

/// A table that all numbers of ranks share, by the place itself or by what is left of it modulo a small
/// number. Every entry is there in two runs, or it would only repeat what one of them did.
void period_family(Search& s) {
  if (s.depth == 0) return;
  std::map<uint32_t, int64_t> table, runs;
  for (const Series& series : s.sequence.series)
    for (size_t i = 0; i < series.places.size(); ++i) {
      if (series.places[i] >= longest_period) return;
      auto [known, added] = table.emplace(series.places[i], series.values[i]);
      if (!added && known->second != series.values[i]) return;
      ++runs[series.places[i]];
    }
  int64_t fewest = INT64_MAX;
  for (auto [k, n] : runs) fewest = std::min(fewest, n);
  if (fewest < 2) return;
  if (!s.sequence.size.is_constant() || table.size() != table.rbegin()->first + size_t{1}) return;
  std::vector<int64_t> values;
  for (auto [k, v] : table) values.push_back(v);
  s.offer(RankExpression::lookup(trace::Column::of(values), place()), 4 + static_cast<int>(values.size()),
          static_cast<int>(fewest) - 1);
}

namespace {

/// Whether both laws are about the same kind of grid: a condition on one goes with what is said of it.
bool have_a_grid(const RankExpression& a, const RankExpression& b) {
  return (uses_grid(a, 2) && uses_grid(b, 2)) || (uses_grid(a, 3) && uses_grid(b, 3));
}

}  // namespace

/// One value stands apart where a condition holds, as MPI_PROC_NULL does at the borders of a grid.
void exception_family(Search& s) {
  if (s.depth >= 2 || is_mask(s.sequence)) return;
  std::map<int64_t, size_t> often;
  for (const Series& series : s.sequence.series)
    for (int64_t v : series.values) ++often[v];
  std::vector<std::pair<size_t, int64_t>> order;
  for (auto [v, n] : often)
    if (n > 1 || v < 0) order.push_back({n, v});
  std::sort(order.rbegin(), order.rend());
  if (order.size() > 3) order.resize(3);
  if (!often.empty() && often.begin()->first < 0) order.push_back({1, often.begin()->first});
  for (auto [n, apart] : order) {
    Sequence mask = s.sequence, rest{{}, s.sequence.size};
    for (Series& series : mask.series) {
      Series others{.nprocs = series.nprocs};
      for (size_t i = 0; i < series.values.size(); ++i) {
        if (series.values[i] != apart) {
          others.places.push_back(series.places[i]);
          others.values.push_back(series.values[i]);
        }
        series.values[i] = series.values[i] == apart;
      }
      if (!others.places.empty()) rest.series.push_back(std::move(others));
    }
    std::vector<Candidate> where = fit(mask, s.knowledge, s.depth + 1);
    // A condition on P alone would only tell the runs apart.
    if (where.empty() || !where[0].law.depends_on(trace::Variable::rank)) continue;
    std::vector<Candidate> otherwise = fit(rest, s.knowledge, s.depth + 1);
    if (otherwise.empty()) continue;
    constexpr size_t most_conditions = 3;
    for (size_t i = 0; i < std::min(where.size(), most_conditions); ++i)
      s.offer(RankExpression::select(where[i].law, number(apart), otherwise[0].law),
              where[i].cost + otherwise[0].cost + (have_a_grid(where[i].law, otherwise[0].law) ? 3 : 5),
              spare_of(where[i], otherwise[0]));
  }
}

}  // namespace refrain::extrapolate
