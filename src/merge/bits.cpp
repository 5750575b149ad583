// Maps that are linear over GF(2): L(x ^ y) = L(x) ^ L(y), possibly with a constant: partners in a hypercube
// (r^4), Gray codes, bit reversals, Morton order. Such a map is known from the images of single bits, and it
// is one if every number's image is that of its lowest bit and that of the rest together:
//
//   k      0 1 2 3  4 5 6 7
//   L(k)   0 1 3 2  6 7 5 4       images of bits 1, 3, 6;  L(7) = L(6) ^ L(1) = 5 ^ 1     Gray code: k^k/2
//
// Values may be scaled and shifted: (r^1024)*64+7. The scale is found as their common unit, the shift as
// their least value; both as they are is tried, too, since subtracting something hides an exclusive or.
#include <bit>

#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::RankExpression;

uint64_t normalized(int64_t v, const Grid& grid) {
  uint64_t distance = static_cast<uint64_t>(v) - static_cast<uint64_t>(grid.least);
  return grid.unit > 1 ? distance / grid.unit : distance;
}

std::vector<uint64_t> normalized(std::span<const int64_t> values, const Grid& grid) {
  std::vector<uint64_t> w;
  w.reserve(values.size());
  for (int64_t v : values) w.push_back(normalized(v, grid));
  return w;
}

bool is_linear(std::span<const uint64_t> w) {
  for (size_t i = 3; i < w.size(); ++i)
    if (w[i] != (w[i & (i - 1)] ^ w[i & (0 - i)] ^ w[0])) return false;
  return true;
}

/// The map with these images of single bits.
RankExpression map_of(const std::vector<uint64_t>& images, const RankExpression& k) {
  uint64_t mask = 0;
  bool masked = true;
  for (size_t b = 0; b < images.size(); ++b) {
    masked = masked && (images[b] == 0 || images[b] == uint64_t{1} << b);
    mask |= images[b];
  }
  if (masked) return std::popcount(mask) == static_cast<int>(images.size()) ? k : k & constant(mask);
  for (size_t shift = 1; shift < images.size(); ++shift) {
    bool gray = true;
    for (size_t b = 0; b < images.size() && gray; ++b)
      gray = images[b] == ((uint64_t{1} << b) ^ ((uint64_t{1} << b) >> shift));
    if (gray) return k ^ k / (int64_t{1} << shift);
  }
  std::vector<int64_t> table(images.begin(), images.end());
  return RankExpression::linear(trace::Column::of(table), k);
}

void linear_form(const Sequence& s, const Grid& grid, Shortest& best) {
  constexpr size_t glance = 64;
  if (s.size() > glance && !is_linear(normalized(s.values.first(glance), grid))) return;
  std::vector<uint64_t> w = normalized(s.values, grid);
  s.effort->spend(2 * s.size());
  if (!is_linear(w)) return;
  std::vector<uint64_t> images;
  for (size_t bit = 1; bit < w.size(); bit <<= 1) images.push_back(w[bit] ^ w[0]);
  RankExpression map = map_of(images, s.k());
  RankExpression whole = line(map ^ constant(w[0]), static_cast<int64_t>(grid.unit), grid.least);
  if (map.operation() != trace::Operation::linear)
    best.settle(whole);
  else if (s.size() >= 8)
    best.offer(whole);
}

}  // namespace

void bit_forms(const Sequence& s, Shortest& best) {
  if (s.size() < 4) return;
  s.effort->spend(s.size());
  Grid grid = grid_of(s.values);
  linear_form(s, grid, best);
  if (grid.least > 0 && !best.found()) linear_form(s, Grid{0, 1}, best);
}

}  // namespace refrain::merge
