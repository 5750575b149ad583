// See advise.hpp. The numbers of the papers, 8, 16, 24 and 32, are a poor choice: the smallest extent of a
// 3-D grid is 2 at all of them, and the number of ranks is always twice the product of the other two extents.
#include "extrapolate/advise.hpp"

#include <algorithm>
#include <array>

#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

constexpr size_t quantities = 11;
constexpr uint32_t fewest_ranks = 4, largest_searched = 64;

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

}  // namespace

size_t conflicts(const std::vector<uint32_t>& sizes) {
  Quantities at;
  for (uint32_t p : sizes) at.push_back(quantities_at(p));
  size_t count = 0;
  for (size_t f = 0; f < quantities; ++f) {
    count += std::all_of(at.begin(), at.end(), [&](const auto& x) { return x[f] == at[0][f]; });
    for (size_t g = f + 1; g < quantities; ++g) count += on_a_line(at, f, g);
  }
  // Ranks that always divide evenly say nothing about remainders.
  count += std::all_of(sizes.begin(), sizes.end(), [](uint32_t p) { return (p & (p - 1)) == 0; });
  return count;
}

std::vector<uint32_t> advise(uint32_t most) {
  uint32_t end = std::min(most, largest_searched);
  if (end < fewest_ranks + 3) end = fewest_ranks + 3;
  std::vector<uint32_t> best;
  size_t fewest = SIZE_MAX;
  uint32_t smallest = UINT32_MAX;
  for (uint32_t a = fewest_ranks; a + 3 <= end; ++a)
    for (uint32_t b = a + 1; b + 2 <= end; ++b)
      for (uint32_t c = b + 1; c + 1 <= end; ++c)
        for (uint32_t d = std::max(c + 1, 3 * b); d <= end; ++d) {
          uint32_t sum = a + b + c + d;
          if (fewest == 0 && sum >= smallest) break;
          size_t n = conflicts({a, b, c, d});
          if (n > fewest || (n == fewest && sum >= smallest)) continue;
          best = {a, b, c, d};
          fewest = n;
          smallest = sum;
        }
  return best;
}

}  // namespace refrain::extrapolate
