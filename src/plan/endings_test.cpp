#include "plan/endings.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

TEST(Endings, AreOfAllRanksOrOfSome) {
  trace::Trace trace;
  trace.processes.resize(3);
  trace.processes[0].ranks = trace::RankSet::range(0, 4);
  trace.processes[0].ending = trace::Ending::exited;
  trace.processes[0].ended_early = trace::RankSet::of({1, 3});
  trace.processes[1].ranks = trace::RankSet::range(4, 2);
  trace.processes[1].ending = trace::Ending::exited;
  trace.processes[2].ranks = trace::RankSet::range(6, 2);
  trace.processes[2].ending = trace::Ending::early;
  EXPECT_EQ(early_ranks(trace).expand(), (std::vector<uint32_t>{1, 3, 6, 7}));
}

}  // namespace
}  // namespace refrain::plan
