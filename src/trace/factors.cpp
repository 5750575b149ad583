// See factors.hpp. Open MPI's way to balance a grid: prime factors, the largest first, each multiplied onto
// the smallest extent so far; in the end the extents are ordered. 60 = 5·3·2·2 in three dimensions: 5 1 1, 5
// 3 1, 5 3 2, 5 3 4, ordered 5 4 3. (It isn't always the most balanced grid, and other libraries choose
// otherwise.)
#include "trace/factors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "base/wide.hpp"

namespace refrain::trace {
namespace {

constexpr int64_t most_factored = int64_t{1} << 31;

/// Of a number up to most_factored, which has 31 at most.
struct PrimeFactors {
  std::array<int64_t, 32> factors;  ///< in ascending order
  size_t count = 0;

  explicit PrimeFactors(int64_t a) {
    for (int64_t p = 2; p * p <= a; ++p)
      for (; a % p == 0; a /= p) factors[count++] = p;
    if (a > 1) factors[count++] = a;
  }
};

struct Grid {
  int64_t ranks = 0, dimensions = 0;
  std::array<int64_t, 3> extents{1, 1, 1};
};

Grid grid_of(int64_t ranks, int64_t dimensions) {
  Grid grid{ranks, dimensions};
  auto begin = grid.extents.begin(), end = begin + (dimensions == 2 ? 2 : 3);
  PrimeFactors prime(ranks);
  for (size_t f = prime.count; f-- > 0;) *std::min_element(begin, end) *= prime.factors[f];
  std::sort(begin, end, std::greater<>());
  return grid;
}

bool power_exceeds(int64_t x, int64_t degree, int64_t a) {
  Wide power = 1;
  for (int64_t i = 0; i < degree; ++i) power = wide_product(power, x);
  return power > a;
}

}  // namespace

int64_t root_of(int64_t a, int64_t degree) {
  if (a < 1) return 0;
  auto near = static_cast<double>(a);
  auto root = static_cast<int64_t>(degree == 2 ? std::sqrt(near) : std::cbrt(near));
  while (power_exceeds(root, degree, a)) --root;
  while (!power_exceeds(root + 1, degree, a)) ++root;
  return root;
}

int64_t grid_extent(int64_t a, int64_t dimensions, int64_t i) {
  if (a < 1 || a > most_factored || i < 0 || i >= dimensions) return 0;
  if (dimensions != 2 && dimensions != 3) return 0;
  // The same few numbers of ranks are asked about over and over. On the heap: the threads of an application
  // that is recorded have this library's thread-local memory, too, and never ask.
  using Grids = std::array<Grid, 64>;
  thread_local std::unique_ptr<Grids> known;
  if (!known) known = std::make_unique<Grids>();
  Grid& grid = (*known)[static_cast<size_t>(a * 3 + dimensions) % known->size()];
  if (grid.ranks != a || grid.dimensions != dimensions) grid = grid_of(a, dimensions);
  return grid.extents[static_cast<size_t>(i)];
}

int64_t largest_divisor(int64_t a, int64_t most) {
  if (a < 1 || a > most_factored) return 0;
  int64_t best = 0;
  for (int64_t d = 1; d * d <= a; ++d) {
    if (a % d != 0) continue;
    if (d <= most) best = std::max(best, d);
    if (a / d <= most) best = std::max(best, a / d);
  }
  return best;
}

}  // namespace refrain::trace
