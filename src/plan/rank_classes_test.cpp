#include "plan/rank_classes.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

using trace::Column;
using trace::Node;
using trace::Number;
using trace::RankSet;
using trace::Value;
using Ranks = std::vector<uint32_t>;

trace::Process process_of(Node node, uint32_t ranks = 16) {
  trace::Process process{.ranks = RankSet::range(0, ranks)};
  process.streams = {{.nodes = {std::move(node)}}};
  return process;
}

TEST(RankClasses, WhereAllDoTheSameAFewWillDo) {
  Node node;
  node.parameters = {Value::constant(7)};
  EXPECT_EQ(typical_ranks(process_of(node)), (Ranks{0, 1, 15}));
  EXPECT_EQ(typical_ranks(process_of(node, 2)), (Ranks{0, 1}));
}

TEST(RankClasses, WhoMakesACallTellsThemApart) {
  Node node{.ranks = RankSet::of({3, 8, 9, 12})};
  EXPECT_EQ(typical_ranks(process_of(node)), (Ranks{0, 1, 3, 8, 12, 15}));
}

TEST(RankClasses, NumbersDo) {
  Node node;
  std::vector<int64_t> values;
  for (int64_t r = 0; r < 16; ++r) values.push_back(r / 8);
  node.parameters = {{.base = Number(Column::of(values))}};
  EXPECT_EQ(typical_ranks(process_of(node)), (Ranks{0, 1, 7, 8, 9, 15}));
}

TEST(RankClasses, AlternativesDo) {
  Node node;
  Value value{.form = trace::Form::by_rank};
  value.alternatives = {{RankSet::of({5}), Value::constant(1)}, {RankSet::range(6, 10), Value::constant(2)}};
  node.parameters = {value};
  EXPECT_EQ(typical_ranks(process_of(node)), (Ranks{0, 1, 4, 5, 6, 7, 15}));
}

}  // namespace
}  // namespace refrain::plan
