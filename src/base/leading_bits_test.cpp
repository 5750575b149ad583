#include "base/leading_bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace refrain {
namespace {

uint64_t rounded(uint64_t number, int kept) { return number_of(leading_bits(number, kept), kept); }

TEST(LeadingBits, KeepsSmallNumbersExactly) {
  for (uint64_t n = 0; n < 512; ++n) EXPECT_EQ(rounded(n, 8), n);
  EXPECT_EQ(rounded(0x1ffff, 16), 0x1ffffu);
  EXPECT_EQ(rounded(0x3ffff, 16), 0x3fffeu);
  EXPECT_EQ(rounded(1'000'001, 8), 999'424u);
}

TEST(LeadingBits, RoundsDownByLittleAndOnlyOnce) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    uint64_t n = random() >> random() % 64;
    for (int kept : {8, 16}) {
      uint64_t once = rounded(n, kept);
      EXPECT_LE(once, n);
      EXPECT_LE(n - once, n >> kept);
      EXPECT_EQ(std::bit_width(once), std::bit_width(n));
      EXPECT_EQ(rounded(once, kept), once);
    }
  }
}

TEST(LeadingBits, KeepsTheOrder) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10'000; ++i) {
    auto [less, more] = std::minmax({random() >> random() % 64, random() >> random() % 64});
    EXPECT_LE(rounded(less, 8), rounded(more, 8)) << less << ' ' << more;
  }
}

TEST(LeadingBits, TakesTheLargestNumber) {
  LeadingBits most = leading_bits(std::numeric_limits<uint64_t>::max(), 16);
  EXPECT_EQ(most.width, 64);
  EXPECT_EQ(most.below, 0xffff);
  EXPECT_EQ(number_of(most, 16), 0xffff'8000'0000'0000u);
}

}  // namespace
}  // namespace refrain
