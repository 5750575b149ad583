#include "generate/rank_text.hpp"

#include <gtest/gtest.h>

namespace refrain::generate {
namespace {

using trace::RankSet;

std::string condition(const std::vector<uint32_t>& ranks, uint32_t of) {
  Tables tables;
  RankText text(of, tables);
  return text.condition(RankSet::of(ranks).canonical(), RankSet::range(0, of)).text;
}

TEST(RankText, SetsBecomeConditions) {
  EXPECT_EQ(condition({0}, 64), "rank == 0");
  EXPECT_EQ(condition({1, 2, 3}, 4), "rank >= 1");
  EXPECT_EQ(condition({0, 1, 2}, 64), "rank < 3");
  EXPECT_EQ(condition({0, 16, 32, 48}, 64), "rank%16 == 0");
  EXPECT_EQ(condition({0, 16, 32}, 64), "rank < 33 && rank%16 == 0");
  EXPECT_EQ(condition({0, 1, 8, 9, 16, 17, 24, 25}, 32), "rank%8 < 2");
  EXPECT_EQ(condition({0, 1, 2, 3}, 4), "1");
  EXPECT_EQ(condition({0, 63}, 64), "rank%63 == 0");
}

TEST(RankText, LawsAreSaidWithoutDetours) {
  using trace::RankExpression;
  Tables tables;
  RankText text(0, tables);
  auto condition = [&](const RankExpression& law) { return text.condition(RankSet::where(law), {}).text; };
  RankExpression one = RankExpression::constant(1), rank = RankExpression::rank();
  EXPECT_EQ(condition(one - RankExpression::equal(rank, RankExpression())), "rank != 0");
  EXPECT_EQ(condition(one - RankExpression::less(rank, RankExpression::nprocs() / 2)), "rank >= nprocs/2");
  EXPECT_EQ(condition(one - RankExpression::at_least(rank, RankExpression::constant(9))), "rank < 9");
}

TEST(RankText, SetsWithoutARuleBecomeTables) {
  Tables tables;
  RankText text(100, tables);
  auto set = RankSet::of({1, 2, 5, 11, 12, 30, 41, 43, 60, 71, 76, 90, 99});
  EXPECT_TRUE(text.condition(set, RankSet::range(0, 100)).text.starts_with("is_in(table1, "));
  EXPECT_NE(tables.text().find("struct run table1[]"), std::string::npos);
}

TEST(RankText, TablesByRankAreDeclaredOnce) {
  Tables tables;
  RankText text(4, tables);
  trace::Number n(trace::Column::of({7, 1, 9, 4}));
  EXPECT_EQ(text.number(n, RankSet::range(0, 4)).text, "table1[rank]");
  EXPECT_EQ(text.number(n, RankSet::range(0, 4)).text, "table1[rank]");
  EXPECT_EQ(text.number(n, RankSet::of({1, 3, 5, 7})).text, "table1[(rank - 1)/2]");
}

}  // namespace
}  // namespace refrain::generate
