// Calls that different ranks make become one wherever the order of each rank allows it.
#include <gtest/gtest.h>

#include "merge/merge_ranks.hpp"
#include "merge/merged_calls.hpp"
#include "trace/at_rank.hpp"

namespace refrain::merge {
namespace {

using trace::Node;

/// Which calls, of kinds 0, 1, 2 …, a rank makes.
using Calls = std::vector<uint32_t>;

Trace part_of(uint32_t rank, uint32_t ranks, const Calls& calls) {
  Trace part{.nprocs = ranks};
  for (const char* name : {"a", "b", "c"}) part.signatures.emplace_back().function = name;
  trace::Process& p = part.processes.emplace_back();
  p.ranks = trace::RankSet::range(rank, 1);
  p.ending = trace::Ending::exited;
  std::vector<Node>& nodes = p.streams.emplace_back().nodes;
  for (uint32_t function : calls) nodes.push_back({.signature = function});
  return part;
}

/// Merges ranks, and looks whether each has its calls in their order.
size_t nodes_of(const std::vector<Calls>& by_rank) {
  std::vector<Trace> parts;
  auto ranks = static_cast<uint32_t>(by_rank.size());
  for (uint32_t rank = 0; rank < ranks; ++rank) parts.push_back(part_of(rank, ranks, by_rank[rank]));
  Trace whole = merge_ranks(std::move(parts));
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    std::string expected, found;
    for (uint32_t function : by_rank[rank]) expected += "abc"[function];
    trace::Process own = at_rank(whole.processes[0], rank);
    for (const trace::Stream& s : own.streams)
      for (const Node& node : s.nodes) found += whole.signatures[node.signature].function;
    EXPECT_EQ(found, expected) << rank;
  }
  return whole.processes[0].streams[0].nodes.size();
}

TEST(GatherRanks, leaders_of_two_kinds_of_groups) {
  std::vector<Calls> by_rank;
  for (uint32_t r = 0; r < 32; ++r) {
    Calls& calls = by_rank.emplace_back();
    if (r % 8 == 0) calls.push_back(0);
    if (r % 6 == 0) calls.push_back(1);
  }
  EXPECT_EQ(nodes_of(by_rank), 2u);
}

TEST(GatherRanks, what_all_ranks_do_is_not_passed) {
  // Some make their call before what all do, and some behind it.
  EXPECT_EQ(nodes_of({{0, 2}, {2, 0}, {0, 2}, {2, 0}}), 3u);
}

TEST(GatherRanks, opposite_orders_stay_apart) {
  size_t nodes = nodes_of({{0, 1}, {1, 0}, {0, 1}, {1, 0}});
  EXPECT_EQ(nodes, 3u);
}

TEST(GatherRanks, keep_every_order_of_few_calls) {
  // All ways to make up to three calls of three kinds, on ranks in several orders.
  std::vector<Calls> all{{}};
  for (size_t i = 0; i < all.size() && all[i].size() < 3; ++i)
    for (uint32_t function : {0U, 1U, 2U}) {
      Calls longer = all[i];
      longer.push_back(function);
      all.push_back(longer);
    }
  for (size_t step : {1, 7, 11, 13}) {
    std::vector<Calls> by_rank;
    for (size_t i = 0; i < all.size(); ++i) by_rank.push_back(all[i * step % all.size()]);
    nodes_of(by_rank);
  }
}

}  // namespace
}  // namespace refrain::merge
