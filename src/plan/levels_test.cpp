#include "plan/levels.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

using trace::Node;
using trace::RankSet;

Node event(uint64_t executions, uint64_t gap, RankSet ranks = {}) {
  Node node{.ranks = std::move(ranks)};
  for (uint64_t i = 0; i < executions; ++i) node.timing.gap.add(gap);
  return node;
}

Node loop(std::vector<Node> body) {
  Node node{.kind = trace::NodeKind::loop, .count = trace::Value::constant(10)};
  node.body = std::move(body);
  return node;
}

TEST(Levels, RankThatComputedBeforeItsOwnCallHasNothingLeft) {
  std::vector<Node> nodes;
  nodes.push_back(loop({event(10, 80, RankSet::range(0, 1)), event(20, 40)}));
  const Node &own = nodes[0].body[0], &shared = nodes[0].body[1];
  Levels of0 = find_levels(nodes, RankSet::range(0, 2), 0, gap_ns);
  Levels of1 = find_levels(nodes, RankSet::range(0, 2), 1, gap_ns);
  ASSERT_EQ(of0.shared.count(&shared), 1u);
  EXPECT_EQ(of0.own.count(&own), 1u);
  EXPECT_DOUBLE_EQ(of0.shared.at(&shared).ns, 80);
  EXPECT_DOUBLE_EQ(of0.shared.at(&shared).own_ns, 0);
  EXPECT_DOUBLE_EQ(of1.shared.at(&shared).own_ns, 80);
}

TEST(Levels, SumsStayWhereOneRankDidMoreThanAllShare) {
  std::vector<Node> nodes;
  nodes.push_back(event(1, 900, RankSet::range(2, 1)));
  nodes.push_back(event(4, 30));
  double sum = 0;
  for (uint32_t rank = 0; rank < 4; ++rank)
    sum += find_levels(nodes, RankSet::range(0, 4), rank, gap_ns).shared.at(&nodes[1]).own_ns;
  EXPECT_DOUBLE_EQ(sum, 120);
}

TEST(Levels, WhatIsDoneAtTheEndOfATurnCountsInTheNext) {
  std::vector<Node> nodes;
  nodes.push_back(loop({event(20, 5), event(10, 4, RankSet::range(1, 1))}));
  EXPECT_DOUBLE_EQ(find_levels(nodes, RankSet::range(0, 2), 1, gap_ns).shared.at(&nodes[0].body[0]).own_ns,
                   3);
}

TEST(Levels, NothingToDoWhereAllMakeTheSameCalls) {
  std::vector<Node> nodes;
  nodes.push_back(loop({event(20, 5), event(20, 7)}));
  Levels levels = find_levels(nodes, RankSet::range(0, 2), 0, gap_ns);
  EXPECT_TRUE(levels.shared.empty());
  EXPECT_TRUE(levels.own.empty());
}

TEST(Levels, GapsOfARankKeepTheirNumber) {
  trace::Process process;
  process.ranks = RankSet::range(0, 2);
  process.streams.emplace_back();
  process.streams[0].nodes.push_back(loop({event(10, 80, RankSet::range(0, 1)), event(20, 40)}));
  auto shared = [](const trace::Process& p) { return p.streams[0].nodes[0].body[1].timing.gap; };
  EXPECT_EQ(shared(with_times_of(process, 0)).sum_ns(), 0u);
  EXPECT_EQ(shared(with_times_of(process, 1)).sum_ns(), 1600u);
  EXPECT_EQ(shared(with_times_of(process, 1)).count(), 20u);
  // What is left differs between ranks, not from turn to turn.
  for (int i = 0; i < 10; ++i) process.streams[0].nodes[0].body[1].timing.gap.add(80);
  Histogram gap = shared(with_times_of(process, 1));
  EXPECT_EQ(gap.min_ns(), gap.max_ns());
}

}  // namespace
}  // namespace refrain::plan
