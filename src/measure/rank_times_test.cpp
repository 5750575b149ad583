#include "measure/rank_times.hpp"

#include <gtest/gtest.h>

#include "trace/at_rank.hpp"
#include "trace/sample.hpp"

namespace refrain::measure {
namespace {

using namespace trace;
using sample::column;
using sample::event;
using sample::loop;
using sample::number;

TEST(RankTimes, AreThoseOfOneRanksCalls) {
  // Four ranks: each ran the call ten times, one nanosecond the first of the forty, forty the last.
  std::vector<Node> nodes{loop(number(10), {event(0, {}, 40)})};
  ASSERT_TRUE(scale_times(nodes));
  EXPECT_EQ(nodes[0].body[0].timing.duration.count(), 10u);
  EXPECT_NEAR(static_cast<double>(nodes[0].body[0].timing.duration.sum_ns()), 10 * 20.5, 10);
  EXPECT_EQ(nodes[0].body[0].timing.gap.count(), 10u);
}

TEST(RankTimes, LoopsThatVaryAreRun) {
  std::vector<Node> nodes{
      loop(number(2), {loop(Value{.form = Form::running, .base = 3, .step = 0}, {event(0, {}, 24)})})};
  bool known = scale_times(nodes);
  EXPECT_EQ(nodes[0].body[0].body[0].timing.duration.count(), known ? 6u : 0u);
  nodes = {loop(number(3), {loop(column({1, 2, 3}), {event(0, {}, 24)})})};
  ASSERT_TRUE(scale_times(nodes));
  EXPECT_EQ(nodes[0].body[0].body[0].timing.duration.count(), 6u);
}

TEST(RankTimes, ThatCantBeKnownAreGone) {
  std::vector<Node> nodes{
      loop(number(int64_t{1} << 40),
           {loop(Value{.form = Form::running, .base = 1, .step = 0}, {event(0, {}, 24)})})};
  EXPECT_FALSE(scale_times(nodes));
  EXPECT_EQ(nodes[0].body[0].body[0].timing.duration.count(), 0u);
}

}  // namespace
}  // namespace refrain::measure
