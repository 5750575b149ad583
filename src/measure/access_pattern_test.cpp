#include "measure/access_pattern.hpp"

#include <gtest/gtest.h>

namespace refrain::measure {
namespace {

/// `count` accesses of `size` bytes, the first at `first`, each `step` further.
RankWalk regular(uint32_t rank, int64_t first, int64_t size, int64_t step, int count) {
  RankWalk w{.rank = rank};
  for (int k = 0; k < count; ++k) w.walk.add(first + k * step, first + k * step + size);
  return w;
}

/// One of them per rank, `distance` apart.
std::string words_of(uint32_t ranks, int64_t distance, int64_t size, int64_t step, int count) {
  std::vector<RankWalk> walks;
  for (uint32_t r = 0; r < ranks; ++r) walks.push_back(regular(r, r * distance, size, step, count));
  return pattern_words(std::move(walks), ranks);
}

constexpr int64_t mib = 1 << 20;

TEST(AccessPattern, BlocksOfRanks) {
  EXPECT_EQ(words_of(8, 16 * mib, mib, mib, 16), "each rank a contiguous block of 16 MiB");
  EXPECT_EQ(words_of(8, 32 * mib, mib, mib, 16), "each rank a contiguous block of 16 MiB, one every 32 MiB");
  EXPECT_EQ(words_of(4, 0, mib, mib, 3), "each rank the same 3 MiB");
  EXPECT_EQ(words_of(4, -8 * mib, mib, mib, 3), "each rank a contiguous block of 3 MiB, backwards");
}

TEST(AccessPattern, RanksThatTakeTurns) {
  EXPECT_EQ(words_of(4, 65536, 65536, 4 * 65536, 10), "ranks take turns, 64 KiB at a time");
  EXPECT_EQ(words_of(4, 65536, 65536, 8 * 65536, 10), "each rank 10 pieces of 64 KiB, one every 512 KiB");
}

TEST(AccessPattern, BlocksOfDifferentSizes) {
  std::vector<RankWalk> walks{regular(0, 0, 100, 100, 1), regular(1, 100, 300, 300, 1)};
  EXPECT_EQ(pattern_words(walks, 2),
            "each rank a contiguous block of 100 bytes to 300 bytes, one behind the other");
  walks[1].walk.first = 4000;
  EXPECT_EQ(pattern_words(walks, 2), "each rank a contiguous block of 100 bytes to 300 bytes");
}

TEST(AccessPattern, OneRankOfMany) {
  EXPECT_EQ(pattern_words({regular(3, 0, 4096, 4096, 2)}, 16),
            "rank 3 alone: a contiguous block of 8 KiB in 2 pieces of 4 KiB");
  EXPECT_EQ(pattern_words({regular(0, 7, 10, 10, 1)}, 1), "one access of 10 bytes");
  EXPECT_EQ(pattern_words({regular(0, 0, 10, 20, 3), regular(1, 10, 10, 20, 3)}, 8),
            "2 ranks take turns, 10 bytes at a time");
  EXPECT_EQ(pattern_words({}, 4), "");
}

TEST(AccessPattern, RanksThatDidTheSameStandTogether) {
  RankWalk all = regular(0, 0, 4096, 4096, 2);
  all.ranks = 1000;
  EXPECT_EQ(pattern_words({all}, 1000), "each rank the same 8 KiB");
}

TEST(AccessPattern, WithoutAnyOrder) {
  RankWalk a{.rank = 0};
  for (int64_t at : {0, 500, 20, 70}) a.walk.add(at, at + 10);
  EXPECT_EQ(pattern_words({a}, 1), "40 bytes in 4 pieces of 10 bytes, in no regular order");
  RankWalk b = a;
  b.rank = 1;
  b.walk.add(3, 4);
  EXPECT_EQ(pattern_words({a, b}, 2), "each rank pieces of different sizes, in no regular order");
}

TEST(AccessPattern, FrontToBack) {
  RankWalk a{.rank = 0};
  for (int64_t at : {0, 20, 100, 110}) a.walk.add(at, at + 10);
  EXPECT_EQ(pattern_words({a}, 1), "40 bytes in 4 pieces of 10 bytes, front to back with gaps");
  RankWalk b = a;
  b.rank = 1;
  EXPECT_EQ(pattern_words({a, b}, 2), "each rank pieces of 10 bytes, front to back with gaps");
}

TEST(AccessPattern, LeapsCountAsIfTheyHadBeenRun) {
  RankWalk run = regular(0, 0, 10, 10, 100), leaped = regular(0, 0, 10, 10, 3);
  leaped.walk.leap(10, 97, 1, 10);
  EXPECT_EQ(run.walk, leaped.walk);
}

TEST(AccessPattern, SizesInWords) {
  EXPECT_EQ(size_words(1), "1 byte");
  EXPECT_EQ(size_words(1023), "1,023 bytes");
  EXPECT_EQ(size_words(12345), "12.1 KiB");
  EXPECT_EQ(size_words(4096), "4 KiB");
  EXPECT_EQ(size_words(uint64_t{3} << 30), "3 GiB");
}

}  // namespace
}  // namespace refrain::measure
