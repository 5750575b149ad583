#include "generate/c_expression.hpp"

#include <gtest/gtest.h>

namespace refrain::generate {
namespace {

const Expression rank = variable("rank", {0, 2047});
const Expression i = variable("i", {0, 9});

TEST(CExpression, ReadsAsAPersonWouldWriteIt) {
  EXPECT_EQ(add(multiply(rank, constant(4096)), constant(-512)).text, "4096*rank - 512");
  EXPECT_EQ(multiply(divide(rank, 16), constant(100)).text, "rank/16*100");
  EXPECT_EQ(modulo(divide(rank, 16), 16).text, "rank/16%16");
  EXPECT_EQ(add(constant(1), subtract(constant(0), rank)).text, "0 - rank + 1");
  EXPECT_EQ(select(less(rank, constant(3)), constant(640), constant(642)).text, "rank < 3 ? 640 : 642");
  EXPECT_EQ(add(add(rank, constant(4)), constant(-4)).text, "rank");
  EXPECT_EQ(multiply(constant(-3), i).text, "-3*i");
  EXPECT_EQ(add(rank, multiply(constant(-3), i)).text, "rank - 3*i");
}

TEST(CExpression, ComputesConstants) {
  EXPECT_EQ(multiply(constant(6), constant(7)).text, "42");
  EXPECT_EQ(add(constant(INT64_MAX), constant(1)).text, "INT64_MIN");
  EXPECT_EQ(less(rank, constant(5000)).text, "1");
  EXPECT_EQ(modulo(i, 10).text, "i");
}

TEST(CExpression, WrapsWhereItCouldOverflow) {
  Expression big = constant(INT64_MAX / 2);
  EXPECT_EQ(multiply(big, rank).text, "wrap_mul(4611686018427387903, rank)");
  EXPECT_EQ(add(add(big, i), big).text, "wrap_add(i, 9223372036854775806)");
  EXPECT_EQ(multiply(constant(1 << 20), rank).text, "1048576*rank");
}

TEST(CExpression, PowersAreShiftsWhereNothingIsLost) {
  EXPECT_EQ(power(constant(16), 2, i).text, "16LL << i");
  EXPECT_EQ(power(constant(16), 2, i).range, (Range{16, 8192}));
  EXPECT_EQ(add(power(rank, 2, add(i, constant(1))), constant(3)).text, "(rank << (i + 1)) + 3");
  EXPECT_EQ(power(constant(3), 2, constant(2)).text, "12");
  EXPECT_EQ(power(constant(-16), 2, i).text, "power_product(-16, 2, i)");
  EXPECT_EQ(power(constant(-16), 2, i).range, (Range{-8192, -16}));
  EXPECT_EQ(power(constant(3), 5, i).text, "power_product(3, 5, i)");
  EXPECT_EQ(power(constant(1), 2, rank).text, "power_product(1, 2, rank)");
  EXPECT_EQ(power(constant(1), 2, rank).range, Range());
}

TEST(CExpression, SumsOfComparisonsAreNotOfTypeInt) {
  Expression one = less(rank, constant(3));
  EXPECT_EQ(multiply(one, constant(2000000000)).text, "2000000000*(long long)(rank < 3)");
}

TEST(CExpression, ParenthesesThatCompilersAskFor) {
  Expression a = both(at_least(rank, constant(2)), less(rank, constant(5)));
  EXPECT_EQ(either(a, equal(rank, constant(9))).text, "(rank >= 2 && rank < 5) || rank == 9");
  EXPECT_EQ(exclusive_or(add(rank, constant(1)), constant(4)).text, "(rank + 1) ^ 4");
}

}  // namespace
}  // namespace refrain::generate
