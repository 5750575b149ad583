// The trace of one rank out of many: the right nodes, the right numbers, the right neighbors.
#include "trace/at_rank.hpp"

#include <gtest/gtest.h>

#include "trace/expand.hpp"
#include "trace/sample.hpp"

namespace refrain::trace {
namespace {

using sample::column;
using sample::event;
using sample::loop;
using sample::number;

using Values = std::vector<int64_t>;

/// The first parameter of every event that `rank` runs, by signature and value.
std::vector<std::pair<uint32_t, int64_t>> run(const std::vector<Node>& nodes, const RankSet& ranks,
                                              uint32_t rank) {
  std::vector<Node> plain = at_rank(nodes, ranks, rank);
  EXPECT_TRUE(is_plain(plain));
  Expander expander(plain);
  std::vector<std::pair<uint32_t, int64_t>> out;
  for (auto e = expander.next(); e.node; e = expander.next())
    out.emplace_back(e.node->signature, e.parameters.empty() ? 0 : e.parameters[0]);
  EXPECT_FALSE(expander.damaged());
  return out;
}

using Events = std::vector<std::pair<uint32_t, int64_t>>;

Number table(Values values) { return Number(Column::of(values)); }

Node only(Node node, RankSet ranks) {
  node.ranks = std::move(ranks);
  return node;
}

TEST(AtRank, NumbersGoByTheSetOfTheirNode) {
  Value v{.base = table({10, 20, 30}), .slopes = {Number(RankExpression::rank())}};
  std::vector<Node> nodes{loop(number(2), {only(event(0, {v}), RankSet::of({1, 3, 5}))})};
  RankSet all = RankSet::range(0, 6);
  EXPECT_EQ(run(nodes, all, 3), (Events{{0, 20}, {0, 23}}));
  EXPECT_EQ(run(nodes, all, 5), (Events{{0, 30}, {0, 35}}));
  EXPECT_TRUE(at_rank(nodes, all, 2).empty()) << "a loop without a body is none";
  EXPECT_TRUE(at_rank(nodes, all, 7).empty());
}

TEST(AtRank, CopiesFollowTheirSource) {
  Value copy{.form = Form::copy, .base = table({1, 2}), .sibling = 1};
  std::vector<Node> nodes{only(event(0, {number(5)}), RankSet::of({0})), event(1, {number(7)}),
                          event(2, {copy})};
  RankSet all = RankSet::range(0, 2);
  EXPECT_EQ(run(nodes, all, 0), (Events{{0, 5}, {1, 7}, {2, 8}}));
  EXPECT_EQ(run(nodes, all, 1), (Events{{1, 7}, {2, 9}}));
}

TEST(AtRank, CopiesOfWhatARankDoesNotRunAreDamage) {
  Value copy{.form = Form::copy, .sibling = 0};
  std::vector<Node> nodes{only(event(0, {number(5)}), RankSet::of({0})), event(1, {copy})};
  std::vector<Node> plain = at_rank(nodes, RankSet::range(0, 2), 1);
  Expander expander(plain);
  EXPECT_EQ(expander.next().node, nullptr);
  EXPECT_TRUE(expander.damaged());
}

TEST(AtRank, ArmsKeepTheirNumbers) {
  Node choice = sample::block(NodeKind::choice, {.base = table({1, 0})},
                              {only(event(0, {number(1)}), RankSet::of({1})), event(1, {number(2)})});
  RankSet all = RankSet::range(0, 2);
  EXPECT_EQ(run({choice}, all, 0), (Events{{1, 2}}));
  EXPECT_EQ(run({choice}, all, 1), (Events{{0, 1}}));
}

TEST(AtRank, AlternativesAndEntries) {
  Value by_rank{.form = Form::by_rank};
  by_rank.alternatives = {{RankSet::of({0, 2}), {.base = table({4, 6})}}, {RankSet::of({1}), column({8, 9})}};
  Value entries{.form = Form::column, .base = 100};
  entries.entries = {table({1, 2, 3}), 50};
  std::vector<Node> nodes{loop(number(2), {event(0, {by_rank}), event(1, {entries})})};
  RankSet all = RankSet::range(0, 3);
  EXPECT_EQ(run(nodes, all, 1), (Events{{0, 8}, {1, 102}, {0, 9}, {1, 150}}));
  EXPECT_EQ(run(nodes, all, 2), (Events{{0, 6}, {1, 103}, {0, 6}, {1, 150}}));
  Expander merged(nodes);
  EXPECT_EQ(merged.next().node, nullptr) << "a merged tree can't be run as it is";
  EXPECT_TRUE(merged.damaged());
}

TEST(AtRank, ProcessesKnowTheirRanks) {
  Process p{.ranks = RankSet::range(0, 4), .program = "app"};
  p.ending = Ending::exited;
  p.ended_early = RankSet::of({2});
  p.loss.unknown = 5;
  p.losses = {{1, {.unknown = 5}}};
  p.streams = {{.nodes = {event(0, {number(1)})}},
               {.thread = 1, .ranks = RankSet::of({1, 2}), .nodes = {event(0, {{.base = table({8, 9})}})}},
               {.layer = "posix", .prefix = table({0, 1, 2, 3})}};
  Process two = at_rank(p, 2), three = at_rank(p, 3);
  EXPECT_EQ(two.ending, Ending::early);
  EXPECT_EQ(three.ending, Ending::exited);
  EXPECT_EQ(at_rank(p, 1).loss.unknown, 5u);
  EXPECT_EQ(two.loss.unknown, 0u);
  ASSERT_EQ(two.streams.size(), 3u);
  EXPECT_EQ(two.streams[1].nodes[0].parameters[0].constant_value(), 9);
  ASSERT_EQ(three.streams.size(), 2u);
  EXPECT_EQ(three.streams[1].prefix.constant(), 3);
}

}  // namespace
}  // namespace refrain::trace
