#include "extrapolate/price.hpp"

#include <gtest/gtest.h>

namespace refrain::extrapolate {
namespace {

RankExpression p() { return RankExpression::nprocs(); }

TEST(Price, counts_each_part_of_a_law_once) {
  RankExpression groups = place() / 4;
  int once = bits_of_law(groups);
  EXPECT_LT(bits_of_law(groups * groups), 2 * once);
  EXPECT_EQ(bits_of_law(place() / 4 * number(4)), once + 1);
  EXPECT_EQ(bits_of_law(groups + place() % 4), once + 2);  // a division has both results
}

TEST(Price, counts_the_digits_of_numbers_but_zeros_at_their_end) {
  EXPECT_EQ(bits_of_law(place() * number(4096)), bits_of_law(place() * number(1000)));
  EXPECT_LT(bits_of_law(place() * number(4096)), bits_of_law(place() * number(4099)));
}

TEST(Price, says_in_one_breath_how_programs_share) {
  RankExpression all = number(1000), even = RankExpression::quotient(all, p());
  RankExpression rest = RankExpression::remainder(all, p());
  EXPECT_LE(bits_of_law(even + RankExpression::less(place(), rest)), bits_of_law(even));
  EXPECT_GT(bits_of_law(even + RankExpression::less(place(), number(7))), bits_of_law(even));
}

TEST(Price, values_on_a_line_say_little_more_than_two) {
  Sequence line, steps;
  for (uint32_t r = 0; r < 16; ++r) {
    line.add(16, r, r * 100);
    steps.add(16, r, r * r);
  }
  EXPECT_LT(2 * bits_of_values(line), bits_of_values(steps));
}

}  // namespace
}  // namespace refrain::extrapolate
