#include "record/mpi_addresses.hpp"

#include <gtest/gtest.h>

namespace refrain::record {
namespace {

TEST(MpiAddresses, OnlyMemoryIsTakenForAddresses) {
  std::vector<int> here(10);
  EXPECT_TRUE(is_address(reinterpret_cast<int64_t>(here.data())));
  EXPECT_FALSE(is_address(0));
  EXPECT_FALSE(is_address(1 << 30));
  EXPECT_FALSE(is_address(int64_t{5} << 33));  // as far into a file
  EXPECT_FALSE(is_address(-8));
}

TEST(MpiAddresses, AreKeptFromTheLowestOn) {
  int64_t base = int64_t{1} << 46;
  std::vector<int64_t> values{base + 400, base, base + 400, base + (int64_t{1} << 40),
                              base + (int64_t{1} << 40) + 8};
  std::vector<int64_t> expected{400, 0, 400, 400 + largest_distance, 408 + largest_distance};
  EXPECT_EQ(relative_addresses(values.data(), values.size()), expected);
}

}  // namespace
}  // namespace refrain::record
