// The columns that the search for expressions is judged by, for tests and benchmarks: what parallel programs
// compute from their rank. Each has the length of the text that the prototype found for it, tables included,
// at 2,048 and at 1,048,576 ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace refrain::merge::patterns {

using Grid3 = std::array<int64_t, 3>;

/// A balanced grid of `ranks` blocks: prime factors, the largest first, each onto the smallest side.
inline Grid3 balanced_grid(int64_t ranks) {
  std::vector<int64_t> factors;
  for (int64_t f = 2; f * f <= ranks; ++f)
    for (; ranks % f == 0; ranks /= f) factors.push_back(f);
  if (ranks > 1) factors.push_back(ranks);
  Grid3 sides{1, 1, 1};
  for (size_t i = factors.size(); i-- > 0;) *std::min_element(sides.begin(), sides.end()) *= factors[i];
  std::sort(sides.rbegin(), sides.rend());
  return sides;
}

/// A rank's place in the grid, x fastest.
inline Grid3 place(const Grid3& sides, int64_t rank) {
  return {rank % sides[0], rank / sides[0] % sides[1], rank / (sides[0] * sides[1])};
}

/// Blocks of `total` things over `blocks`; the first ones get the remainder.
inline int64_t block_size(int64_t total, int64_t blocks, int64_t i) {
  return total / blocks + (i < total % blocks);
}
inline int64_t block_start(int64_t total, int64_t blocks, int64_t i) {
  return i * (total / blocks) + std::min(i, total % blocks);
}

inline int64_t reversed_bits(int64_t rank, int64_t ranks) {
  int64_t reversed = 0;
  for (int64_t bit = 1, image = ranks / 2; bit < ranks; bit *= 2, image /= 2)
    if (rank & bit) reversed |= image;
  return reversed;
}

inline int64_t even_bits(int64_t rank) {
  int64_t gathered = 0;
  for (int i = 0; i < 12; ++i) gathered |= (rank >> (2 * i) & 1) << i;
  return gathered;
}

/// One rank of a job.
struct Where {
  int64_t r, p;  ///< rank, number of ranks
  Grid3 sides, at;
};

struct Pattern {
  std::string_view name;
  size_t length, length_at_a_million;  ///< of the prototype's text; 0: a table, without expression
  int64_t (*value)(const Where&);
};

inline int64_t linear_offset(const Where& w) {
  int64_t nx = w.sides[0] * 60, ny = w.sides[1] * 100;
  return 8 * (w.at[0] * 60 + nx * (w.at[1] * 100 + ny * 300 * w.at[2]));
}

inline int64_t uneven_volume(const Where& w) {
  return block_size(10007, w.sides[0], w.at[0]) * block_size(10009, w.sides[1], w.at[1]) *
         block_size(7777, w.sides[2], w.at[2]);
}

inline int64_t periodic_table(const Where& w) {
  constexpr std::array<int64_t, 12> table{5, 1, 9, 9, 2, 0, 44, 3, 8, 100, 7, 6};
  return table[static_cast<size_t>(w.r % 12)] + 1000 * (w.r / 12);
}

inline int64_t three_segments(const Where& w) {
  return w.r < w.p / 3 ? w.r * 10 : w.r < w.p / 2 ? 7 : w.r * 3 + 1;
}

inline constexpr std::array all{
    Pattern{"constant", 4, 4, [](const Where&) -> int64_t { return 4096; }},
    Pattern{"affine", 14, 14, [](const Where& w) { return w.r * 8388608 + 2048; }},
    Pattern{"reversed", 16, 18, [](const Where& w) { return (w.p - 1 - w.r) * 512; }},
    Pattern{"3D x", 7, 8, [](const Where& w) { return w.at[0] * 60; }},
    Pattern{"3D y", 11, 13, [](const Where& w) { return w.at[1] * 100; }},
    Pattern{"3D z", 9, 11, [](const Where& w) { return w.at[2] * 300; }},
    Pattern{"3D linear offset", 41, 49, linear_offset},
    Pattern{"3D uneven start y", 27, 31,
            [](const Where& w) { return block_start(100003, w.sides[1], w.at[1]); }},
    Pattern{"3D uneven size x", 13, 14,
            [](const Where& w) { return block_size(100003, w.sides[0], w.at[0]); }},
    Pattern{"3D uneven volume", 51, 56, uneven_volume},
    Pattern{"remainder size", 17, 17, [](const Where& w) { return 8 * block_size(1000000007, w.p, w.r); }},
    Pattern{"remainder start", 26, 26,
            [](const Where& w) { return 8 * block_start(1000000007, w.p, w.r) + 512; }},
    Pattern{"even start", 19, 22, [](const Where& w) { return 8 * (w.r * 1000000007 / w.p); }},
    Pattern{"even size", 32, 41,
            [](const Where& w) { return (w.r + 1) * 1000000007 / w.p - w.r * 1000000007 / w.p; }},
    Pattern{"cyclic by 1", 15, 18, [](const Where& w) { return (w.r + 1) % w.p * 4096; }},
    Pattern{"cyclic by half", 13, 15, [](const Where& w) { return (w.r + w.p / 2) % w.p * 64 + 7; }},
    Pattern{"torus x+1", 23, 27, [](const Where& w) { return w.r - w.at[0] + (w.at[0] + 1) % w.sides[0]; }},
    Pattern{"halo x+1", 14, 16,
            [](const Where& w) { return w.at[0] + 1 < w.sides[0] ? w.r + 1 : int64_t{-1}; }},
    Pattern{"halo z-1", 14, 18,
            [](const Where& w) { return w.at[2] > 0 ? w.r - w.sides[0] * w.sides[1] : int64_t{-1}; }},
    Pattern{"xor 1", 3, 3, [](const Where& w) { return w.r ^ 1; }},
    Pattern{"xor half", 17, 19, [](const Where& w) { return (w.r ^ (w.p / 2)) * 4096 + 100; }},
    Pattern{"Gray code", 68, 123, [](const Where& w) { return w.r ^ (w.r >> 1); }},
    Pattern{"bit reversal", 67, 121, [](const Where& w) { return reversed_bits(w.r, w.p); }},
    Pattern{"Morton x", 57, 82, [](const Where& w) { return even_bits(w.r); }},
    Pattern{"rank/16", 4, 4, [](const Where& w) { return w.r / 16; }},
    Pattern{"node leader", 7, 7, [](const Where& w) { return w.r - w.r % 48; }},
    Pattern{"rank==0", 4, 4, [](const Where& w) { return int64_t{w.r == 0}; }},
    Pattern{"rank%16==0", 7, 7, [](const Where& w) { return int64_t{w.r % 16 == 0}; }},
    Pattern{"last rank", 6, 9, [](const Where& w) { return int64_t{w.r == w.p - 1}; }},
    Pattern{"boundary x", 7, 8, [](const Where& w) { return int64_t{w.at[0] == 0}; }},
    Pattern{"3 segments", 25, 30, three_segments},
    Pattern{"periodic table", 72, 72, periodic_table},
    Pattern{"triangular", 13, 13, [](const Where& w) { return w.r * (w.r + 1) / 2 * 8; }},
    Pattern{"round robin", 7, 7, [](const Where& w) { return w.r * 7 % 160; }},
    Pattern{
        "random", 0, 0,
        [](const Where& w) { return static_cast<int64_t>(mix64(static_cast<uint64_t>(w.r + 3)) & 0xfffff); }},
};

/// The pattern's value at each of `ranks` ranks.
inline std::vector<int64_t> column_of(const Pattern& pattern, int64_t ranks) {
  std::vector<int64_t> values;
  values.reserve(static_cast<size_t>(ranks));
  Grid3 sides = balanced_grid(ranks);
  for (int64_t r = 0; r < ranks; ++r) values.push_back(pattern.value({r, ranks, sides, place(sides, r)}));
  return values;
}

/// Sizes without a rule, and the offsets that follow from them: the thirty-sixth pattern.
inline std::vector<int64_t> random_sizes(int64_t ranks) {
  std::vector<int64_t> sizes;
  for (int64_t r = 0; r < ranks; ++r)
    sizes.push_back(static_cast<int64_t>(mix64(static_cast<uint64_t>(r + 9)) % 100000));
  return sizes;
}
inline std::vector<int64_t> running_sums(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> sums;
  int64_t sum = 0;
  for (int64_t size : sizes) {
    sums.push_back(sum);
    sum += size;
  }
  return sums;
}

}  // namespace refrain::merge::patterns
