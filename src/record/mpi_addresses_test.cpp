#include "record/mpi_addresses.hpp"

#include <gtest/gtest.h>

namespace refrain::record {
namespace {

using Places = std::vector<int64_t>;

TEST(MpiAddresses, OnlyMemoryIsTakenForAddresses) {
  std::vector<int> here(10);
  EXPECT_TRUE(is_address(reinterpret_cast<int64_t>(here.data())));
  EXPECT_FALSE(is_address(0));
  EXPECT_FALSE(is_address(1 << 30));
  EXPECT_FALSE(is_address(int64_t{5} << 33));  // as far into a file
  EXPECT_FALSE(is_address(-8));
}

TEST(MpiAddresses, BlocksAreLaidOutInTheirOwnOrder) {
  int64_t base = int64_t{1} << 46;
  EXPECT_EQ(lay_out({{base + 4096, 100}, {base, 8}, {base + (int64_t{1} << 40), 40}}), (Places{0, 164, 236}));
  EXPECT_EQ(lay_out({{-5000, 100}, {0, 8}, {900, 40}}), (Places{0, 164, 236}));
  EXPECT_EQ(lay_out({}), Places{});
}

TEST(MpiAddresses, WhatBelongsTogetherKeepsItsDistance) {
  EXPECT_EQ(lay_out({{8, 4}, {0, 4}, {16, 8}}), (Places{8, 0, 16}));                // a structure
  EXPECT_EQ(lay_out({{1000, 100}, {1050, 100}, {5000, 8}}), (Places{0, 50, 214}));  // overlapping
  EXPECT_EQ(lay_out({{1000, 100}, {1000, 100}}), (Places{0, 0}));
  EXPECT_EQ(lay_out({{1000, 8}, {1016, 8}}), (Places{0, 72}));  // two small allocations
}

TEST(MpiAddresses, DistancesAreThoseBetweenAskedAddresses) {
  AskedAddresses asked;
  EXPECT_FALSE(asked.explain({0, 16}));
  for (int64_t a : {7000, 1000, 90000, 1000}) asked.add(a);
  EXPECT_TRUE(asked.explain({0, -6000, 83000}));
  EXPECT_TRUE(asked.explain({7000, 1000}));
  EXPECT_FALSE(asked.explain({0, -6000, 82999}));
  EXPECT_FALSE(asked.explain({0}));  // would fit anywhere
  EXPECT_FALSE(asked.explain({0, 0}));
}

TEST(MpiAddresses, PiecesOfABufferLieSideBySide) {
  EXPECT_EQ(run_starts({{0, 4}, {-8560, 4}, {4, 4}, {-8556, 4}, {8, 4}, {100, 0}}), (Places{-8560, 0}));
  EXPECT_EQ(run_starts({{0, 100}, {50, 10}, {100, 1}, {102, 1}}), (Places{0, 102}));
  EXPECT_EQ(run_starts({}), Places{});
}

TEST(MpiAddresses, ThereMayBeManyOfThem) {
  AskedAddresses asked;
  for (int64_t n = 0; n < 3 * static_cast<int64_t>(AskedAddresses::most); ++n) asked.add(n % 5000 * 64);
  EXPECT_TRUE(asked.explain({0, 64 * 4000, 64}));
}

}  // namespace
}  // namespace refrain::record
