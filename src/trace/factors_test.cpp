// Roots, divisors and grids of a number of ranks.
#include "trace/factors.hpp"

#include <gtest/gtest.h>

namespace refrain::trace {
namespace {

TEST(Factors, roots_are_exact_at_their_edges) {
  for (int64_t x : {1, 2, 3, 10, 999, 1024, 2000000}) {
    EXPECT_EQ(root_of(x * x, 2), x);
    EXPECT_EQ(root_of(x * x - 1, 2), x - 1);
    EXPECT_EQ(root_of(x * x * x, 3), x);
    EXPECT_EQ(root_of(x * x * x - 1, 3), x - 1);
  }
  EXPECT_EQ(root_of(INT64_MAX, 2), 3037000499);
  EXPECT_EQ(root_of(INT64_MAX, 3), 2097151);
  EXPECT_EQ(root_of(-4, 2), 0);
}

TEST(Factors, grids_are_those_of_mpi) {
  struct {
    int64_t ranks, extents[3];
  } known[] = {{6, {3, 2, 1}},  {8, {2, 2, 2}},  {16, {4, 2, 2}},
               {60, {5, 4, 3}}, {64, {4, 4, 4}}, {7, {7, 1, 1}}};
  for (const auto& k : known)
    for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(grid_extent(k.ranks, 3, i), k.extents[i]) << k.ranks;
  EXPECT_EQ(grid_extent(60, 2, 0), 10);
  EXPECT_EQ(grid_extent(60, 2, 1), 6);
  EXPECT_EQ(grid_extent(0, 2, 0), 0);
}

TEST(Factors, grids_have_all_ranks_whatever_was_asked_before) {
  for (int64_t back : {0, 1, 64, 128})
    for (int64_t ranks = back + 1; ranks < 400; ++ranks)
      for (int64_t asked : {ranks, ranks - back})
        for (int64_t dimensions : {2, 3}) {
          int64_t all = 1;
          for (int64_t i = 0; i < dimensions; ++i) all *= grid_extent(asked, dimensions, i);
          ASSERT_EQ(all, asked) << dimensions;
        }
}

TEST(Factors, divisors) {
  EXPECT_EQ(largest_divisor(60, 7), 6);
  EXPECT_EQ(largest_divisor(60, 60), 60);
  EXPECT_EQ(largest_divisor(61, 60), 1);
  EXPECT_EQ(largest_divisor(60, 0), 0);
}

}  // namespace
}  // namespace refrain::trace
