// Numbers that depend on the rank keep their values through bytes, shifts and copies.
#include "trace/number.hpp"

#include <gtest/gtest.h>

#include <random>

namespace refrain::trace {
namespace {

std::vector<Number> samples() {
  return {0,
          -1,
          INT64_MIN,
          INT64_MAX,
          Number(Column::of({5, 9, 2})),
          Number(Column::of({5, 9, 3})),
          Number(RankExpression::rank() * RankExpression::constant(8)),
          Number(RankExpression::rank() % 4)};
}

TEST(Number, RoundTripsEveryKind) {
  for (const Number& n : samples()) {
    ByteWriter w;
    n.write(w);
    ByteReader r(w.bytes());
    EXPECT_TRUE(Number::read(r) == n);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

TEST(Number, DistinctNumbersCompareUnequal) {
  auto all = samples();
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j) EXPECT_EQ(all[i] == all[j], i == j) << i << " " << j;
}

TEST(Number, TablesGoByPositionExpressionsByRank) {
  EXPECT_EQ(Number(7).at(3, 1), 7);
  EXPECT_EQ(Number(Column::of({5, 9, 2})).at(30, 1), 9);
  EXPECT_EQ(Number(RankExpression::rank()).at(30, 1), 30);
}

TEST(Number, ConstantExpressionsAreConstants) {
  Number n(RankExpression::constant(12));
  EXPECT_TRUE(n.is_constant());
  EXPECT_EQ(n.constant(), 12);
}

TEST(Number, CopiesAreIndependent) {
  Number a(Column::of({1, 2}));
  Number b = a;
  b.table()->append_run(7, 0, 1);
  EXPECT_EQ(a.table()->size(), 2u);
  EXPECT_EQ(b.table()->size(), 3u);
  a = b;
  EXPECT_TRUE(a == b);
}

TEST(Number, ShiftsEveryKind) {
  for (Number n : samples()) {
    int64_t before = n.at(2, 2);
    n.shift(-3);
    EXPECT_EQ(n.at(2, 2), wrap_add(before, -3));
  }
}

TEST(Number, AnyBytesAreReadOrRefused) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes(random() % 24);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random() % 4 ? random() % 8 : random());
    ByteReader in(bytes);
    Number n = Number::read(in);
    if (in.ok()) n.at(1, 1);
  }
}

}  // namespace
}  // namespace refrain::trace
