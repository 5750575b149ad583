#include "replay/think.hpp"

#include <gtest/gtest.h>

#include "base/clock.hpp"

namespace refrain::replay {
namespace {

TEST(ThinkTime, DrawsWithinWhatWasRecorded) {
  Histogram recorded;
  for (uint64_t ns : {300, 500, 900, 70'000}) recorded.add(ns);
  ThinkTime think(1, 7);
  bool long_one = false;
  for (int i = 0; i < 1000; ++i) {
    double ns = think.draw(recorded, 0);
    EXPECT_GE(ns, 300);
    EXPECT_LE(ns, 70'000);
    long_one |= ns > 60'000;
  }
  EXPECT_TRUE(long_one);
}

TEST(ThinkTime, IsTheSameForASeedWhateverElseIsCalled) {
  Histogram recorded;
  for (uint64_t ns = 1; ns < 100'000; ns *= 3) recorded.add(ns);
  ThinkTime a(1, 5), b(1, 5), c(1, 6);
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    a.draw(recorded, 2);
    double gap = a.draw(recorded, 1);
    EXPECT_EQ(gap, b.draw(recorded, 1));
    different += gap != c.draw(recorded, 1);
  }
  EXPECT_GT(different, 50);
}

TEST(ThinkTime, SumsUpToWhatWasRecorded) {
  Histogram recorded;
  for (uint64_t ns : {1000, 1000, 1000, 1'000'000}) recorded.add(ns);
  ThinkTime think(0.001, 3);  // what is due is small enough to be waited for here
  constexpr int gaps = 4000;
  uint64_t begun = monotonic_ns();
  for (int i = 0; i < gaps; ++i) think.wait(recorded, 0);
  think.settle();
  double expected = gaps * 250'750.0 * 0.001;
  EXPECT_GE(static_cast<double>(monotonic_ns() - begun), 0.9 * expected);
}

TEST(ThinkTime, DoesNotWaitWithoutAFactor) {
  Histogram recorded;
  recorded.add(uint64_t{1} << 60);
  ThinkTime think(0, 1);
  think.wait(recorded, 0);
  EXPECT_EQ(think.due_ns(), 0);
}

}  // namespace
}  // namespace refrain::replay
