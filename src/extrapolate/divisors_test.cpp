#include "extrapolate/divisors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace refrain::extrapolate {
namespace {

std::vector<int64_t> in_order(int64_t n, size_t most = 100000) {
  std::vector<int64_t> divisors = divisors_of(n, most);
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

TEST(Divisors, are_all_numbers_that_leave_no_rest) {
  for (int64_t n = 1; n <= 2000; ++n) {
    std::vector<int64_t> expected;
    for (int64_t d = 1; d <= n; ++d)
      if (n % d == 0) expected.push_back(d);
    EXPECT_EQ(in_order(n), expected) << n;
  }
}

TEST(Divisors, of_large_primes_and_their_products) {
  constexpr int64_t p = 1000003, q = 2147483647, large = 9223372036854775783;  // the largest prime of 63 bits
  EXPECT_EQ(in_order(large), (std::vector<int64_t>{1, large}));
  EXPECT_EQ(in_order(p * p), (std::vector<int64_t>{1, p, p * p}));
  EXPECT_EQ(in_order(p * q), (std::vector<int64_t>{1, p, q, p * q}));
  EXPECT_EQ(in_order(3037000493 * int64_t{3037000453}).size(), 4u);
}

TEST(Divisors, of_random_products_contain_the_factors) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    auto a = static_cast<int64_t>(random() % 2000000) + 1, b = static_cast<int64_t>(random() % 2000000) + 1,
         c = static_cast<int64_t>(random() % 1000000) + 1;
    std::vector<int64_t> all = in_order(a * b * c);
    for (int64_t d : all) EXPECT_EQ(a * b * c % d, 0);
    EXPECT_TRUE(std::adjacent_find(all.begin(), all.end()) == all.end());
    for (int64_t factor : {a, b, c, a * b, b * c, a * c})
      EXPECT_TRUE(std::binary_search(all.begin(), all.end(), factor)) << a << " " << b << " " << c;
  }
}

TEST(Divisors, are_none_if_there_are_too_many_or_it_is_not_positive) {
  EXPECT_EQ(divisors_of(720720, 240).size(), 240u);
  EXPECT_TRUE(divisors_of(720720, 239).empty());
  EXPECT_TRUE(divisors_of(0, 10).empty());
  EXPECT_TRUE(divisors_of(-6, 10).empty());
}

}  // namespace
}  // namespace refrain::extrapolate
