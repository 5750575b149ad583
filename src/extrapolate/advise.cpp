// See advise.hpp. The numbers of the papers, 8, 16, 24 and 32, are a poor choice: the smallest extent of a
// 3-D grid is 2 at all of them, and the number of ranks is always twice the product of the other two extents.
#include "extrapolate/advise.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "scale/at_size.hpp"
#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

constexpr size_t quantities = 11;
constexpr uint32_t fewest_ranks = 4, most_searched = 512;
constexpr size_t most_possible = 61, runs_advised = 4;

std::array<int64_t, quantities> quantities_at(uint32_t p) {
  using namespace trace;
  int64_t logarithm = 0;
  while ((int64_t{2} << logarithm) <= p) ++logarithm;
  return {p,
          grid_extent(p, 3, 0),
          grid_extent(p, 3, 1),
          grid_extent(p, 3, 2),
          grid_extent(p, 2, 0),
          grid_extent(p, 2, 1),
          root_of(p, 2),
          root_of(p, 3),
          grid_extent(p, 3, 0) * grid_extent(p, 3, 1),
          grid_extent(p, 3, 1) * grid_extent(p, 3, 2),
          logarithm};
}

using Quantities = std::vector<std::array<int64_t, quantities>>;

/// Whether one quantity is a multiple of the other, plus a constant.
bool on_a_line(const Quantities& at, size_t f, size_t g) {
  for (size_t i = 2; i < at.size(); ++i) {
    int64_t dx = at[1][f] - at[0][f], dy = at[1][g] - at[0][g];
    if ((at[i][f] - at[0][f]) * dy != (at[i][g] - at[0][g]) * dx) return false;
  }
  return true;
}

/// For how many small divisors these numbers leave too few different remainders: runs that always divide
/// evenly say nothing about what is left over.
size_t unseen_remainders(const std::vector<uint32_t>& sizes) {
  size_t count = 0;
  for (uint32_t m : {2, 3, 4, 5}) {
    std::set<uint32_t> remainders;
    for (uint32_t p : sizes) remainders.insert(p % m);
    count += remainders.size() < std::min<size_t>({m, 3, sizes.size()});
  }
  return count;
}

/// How much is missing for each run to have about twice the ranks of the one before, in quarters: so that it
/// shows something new, and the next one shows that again.
size_t small_steps(const std::array<uint32_t, 4>& sizes) {
  auto quarters = [](uint32_t is, uint32_t should) -> size_t {
    return is >= should ? 0 : (4 * (should - is) + should - 1) / should;
  };
  return quarters(sizes[1], 2 * sizes[0]) + quarters(sizes[2], 2 * sizes[1]) +
         quarters(2 * sizes[3], 3 * sizes[2]);
}

}  // namespace

size_t conflicts(const std::vector<uint32_t>& sizes) {
  Quantities at;
  for (uint32_t p : sizes) at.push_back(quantities_at(p));
  size_t count = 0;
  for (size_t f = 0; f < quantities; ++f) {
    count += std::all_of(at.begin(), at.end(), [&](const auto& x) { return x[f] == at[0][f]; });
    for (size_t g = f + 1; g < quantities; ++g) count += on_a_line(at, f, g);
  }
  return count + unseen_remainders(sizes);
}

std::vector<uint32_t> advise(const Recordable& recordable) {
  std::vector<uint32_t> possible;
  for (uint32_t p = fewest_ranks; p <= std::min(recordable.most, most_searched); ++p)
    if (possible.size() < most_possible && recordable(p)) possible.push_back(p);
  std::vector<uint32_t> best;
  size_t fewest = SIZE_MAX, n = possible.size();
  uint32_t smallest = UINT32_MAX;
  if (n <= runs_advised) return possible;
  for (size_t a = 0; a + 3 < n; ++a)
    for (size_t b = a + 1; b + 2 < n; ++b)
      for (size_t c = b + 1; c + 1 < n; ++c)
        for (size_t d = c + 1; d < n; ++d) {
          std::array<uint32_t, 4> four{possible[a], possible[b], possible[c], possible[d]};
          uint32_t sum = four[0] + four[1] + four[2] + four[3];
          size_t bad = small_steps(four);
          if (bad > fewest || (bad == fewest && sum >= smallest)) continue;
          bad += conflicts({four.begin(), four.end()});
          if (bad > fewest || (bad == fewest && sum >= smallest)) continue;
          best.assign(four.begin(), four.end());
          fewest = bad;
          smallest = sum;
        }
  return best;
}

namespace {

/// Numbers of ranks, from `fewest` on, that can be recorded and were not.
std::vector<uint32_t> possible_runs(const std::vector<uint32_t>& sizes, const Recordable& recordable,
                                    uint32_t fewest) {
  std::vector<uint32_t> possible;
  for (uint32_t p = fewest; p <= std::min(recordable.most, most_searched); ++p)
    if (recordable(p) && std::find(sizes.begin(), sizes.end(), p) == sizes.end()) possible.push_back(p);
  return possible;
}

/// Runs of fewer ranks than the smallest one often do without what the others do.
std::vector<uint32_t> larger_runs(const std::vector<uint32_t>& sizes, const Recordable& recordable) {
  return possible_runs(sizes, recordable, *std::min_element(sizes.begin(), sizes.end()) + 1);
}

/// A doubt that isn't about two laws, but about whether there is one: every further run says something.
bool is_about_everything(const trace::Doubt& d) { return d.chosen.is_constant(1) && d.other.is_constant(0); }

/// Which doubts a run would settle.
struct PossibleRun {
  uint32_t size = 0;
  std::vector<bool> settles{};

  double per_rank(const std::vector<bool>& settled) const {
    size_t news = 0;
    for (size_t i = 0; i < settles.size(); ++i) news += settles[i] && !settled[i];
    return static_cast<double>(news) / size;
  }
};

/// The possible number that is farthest, as a factor, from its neighbors among those that are there. One that
/// is smaller than all of them counts for less. 0 if none is possible.
uint32_t in_widest_gap(const std::vector<uint32_t>& there, const std::vector<uint32_t>& possible) {
  uint32_t best = 0;
  double widest = 0;
  for (uint32_t p : possible) {
    auto above = std::upper_bound(there.begin(), there.end(), p);
    constexpr double rather_not = 1.5;
    double below = above == there.begin() ? 0 : static_cast<double>(p) / above[-1];
    double gap = above == there.end() ? below : static_cast<double>(*above) / p;
    gap = above == there.begin() ? gap / rather_not : std::min(gap, below);
    if (gap <= widest) continue;
    widest = gap;
    best = p;
  }
  return best;
}

}  // namespace

uint32_t further_run(const std::vector<uint32_t>& sizes, const Recordable& recordable) {
  size_t before = conflicts(sizes);
  uint32_t best = 0;
  double most = 0;
  std::vector<uint32_t> possible = larger_runs(sizes, recordable);
  for (uint32_t p : possible) {
    std::vector<uint32_t> more = sizes;
    more.push_back(p);
    double told = static_cast<double>(before - std::min(before, conflicts(more))) / p;
    if (told <= most) continue;
    most = told;
    best = p;
  }
  if (best > 0) return best;
  // Nothing looks alike: a larger run shows again what only the largest one shows. If there is such a run, or
  // none can be recorded, one where the others leave the widest gap.
  std::vector<uint32_t> sorted = sizes;
  std::sort(sorted.begin(), sorted.end());
  uint32_t largest = sorted.back();
  bool alone = sorted.size() < 2 || 2 * largest >= 3 * sorted[sorted.size() - 2];
  if (alone && !possible.empty() && possible.back() > largest)
    return *std::lower_bound(possible.begin(), possible.end() - 1, largest + largest / 3);
  return in_widest_gap(sorted, possible_runs(sizes, recordable, 2));
}

FurtherRuns further_runs(const trace::Trace& trace, const Recordable& recordable,
                         std::optional<uint32_t> target) {
  std::vector<const trace::Doubt*> open;
  bool everything = false;
  for (const trace::Doubt& d : trace.doubts) {
    if (d.where.starts_with(scale::in_layer) || (target && !scale::differs_at(d, *target))) continue;
    if (is_about_everything(d))
      everything = true;
    else
      open.push_back(&d);
  }
  std::vector<PossibleRun> possible;
  for (uint32_t p : larger_runs(trace.sizes, recordable)) {
    PossibleRun& run = possible.emplace_back(PossibleRun{p});
    for (const trace::Doubt* d : open) run.settles.push_back(scale::differs_at(*d, p));
  }
  FurtherRuns runs;
  std::vector<bool> settled(open.size(), false);
  for (;;) {
    auto best = std::max_element(possible.begin(), possible.end(), [&](const auto& a, const auto& b) {
      return a.per_rank(settled) < b.per_rank(settled);
    });
    if (best == possible.end() || best->per_rank(settled) == 0) break;
    runs.sizes.push_back(best->size);
    for (size_t i = 0; i < settled.size(); ++i)
      if (best->settles[i]) settled[i] = true;
  }
  runs.open = static_cast<size_t>(std::count(settled.begin(), settled.end(), false));
  if (everything && runs.sizes.empty())
    if (uint32_t p = further_run(trace.sizes, recordable); p > 0) runs.sizes.push_back(p);
  return runs;
}

}  // namespace refrain::extrapolate
