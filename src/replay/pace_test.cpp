#include "replay/pace.hpp"

#include <gtest/gtest.h>

namespace refrain::replay {
namespace {

trace::Node call(uint64_t count, uint64_t gap_ns, uint64_t duration_ns) {
  trace::Node node;
  for (uint64_t i = 0; i < count; ++i) {
    node.timing.gap.add(gap_ns);
    node.timing.duration.add(duration_ns);
  }
  return node;
}

trace::Trace calls_of(std::vector<std::string> functions) {
  trace::Trace trace;
  for (std::string& name : functions) trace.signatures.emplace_back().function = std::move(name);
  return trace;
}

TEST(Pace, IsThatOfTheTraceWhereItFits) {
  trace::Trace trace = calls_of({"write"});
  trace::Stream stream;
  stream.nodes = {call(10, 100, 50)};
  EXPECT_EQ(pace(trace, stream, {}, 0, 1500), 1);
  EXPECT_EQ(pace(trace, stream, {}, 0, 0), 1) << "nothing is known";
}

TEST(Pace, ShortensTheGapsThatAnotherRankHad) {
  // Rank 0 writes for 100, rank 1 waits that long; both then meet after 2 or 202 of gap, 102 on average.
  trace::Trace trace = calls_of({"write"});
  trace::Stream stream;
  stream.nodes = {call(1, 100, 100), call(2, 102, 1)};
  stream.nodes[0].ranks = trace::RankSet::range(0, 1);
  trace::RankSet both = trace::RankSet::range(0, 2);
  EXPECT_NEAR(pace(trace, stream, both, 0, 203), 102.0 / 202, 1e-9);
  EXPECT_EQ(pace(trace, stream, both, 1, 203), 1);
}

TEST(Pace, LeavesOutWaitingInBarriers) {
  trace::Trace trace = calls_of({"write", "MPI_Barrier"});
  trace::Stream stream;
  stream.nodes = {call(1, 100, 50), call(1, 0, 3)};
  stream.nodes[1].signature = 1;
  stream.nodes[1].timing.gap.add(0);
  stream.nodes[1].timing.duration.add(97);
  EXPECT_EQ(pace(trace, stream, {}, 0, 156), 1) << "100 + 50 + twice 3";
}

}  // namespace
}  // namespace refrain::replay
