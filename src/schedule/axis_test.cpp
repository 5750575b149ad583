#include "schedule/axis.hpp"

#include <gtest/gtest.h>

namespace refrain::schedule {
namespace {

std::vector<std::string> texts(double seconds) {
  std::vector<std::string> list;
  for (const Moment& m : round_moments(seconds)) list.push_back(m.text);
  return list;
}
using Texts = std::vector<std::string>;

TEST(Axis, MomentsAreRound) {
  EXPECT_EQ(texts(374126), (Texts{"0", "1 d", "2 d", "3 d", "4 d"}));
  EXPECT_EQ(texts(100000), (Texts{"0", "6 h", "12 h", "18 h", "24 h"}));
  EXPECT_EQ(texts(4200), (Texts{"0", "10 min", "20 min", "30 min", "40 min", "50 min", "60 min", "70 min"}));
  EXPECT_EQ(texts(7.3), (Texts{"0", "1 s", "2 s", "3 s", "4 s", "5 s", "6 s", "7 s"}));
  EXPECT_EQ(texts(0.0451), (Texts{"0", "10 ms", "20 ms", "30 ms", "40 ms"}));
}

TEST(Axis, LengthsHaveTheUnitThatSuitsThem) {
  EXPECT_EQ(length_text(374126), "4.33 d");
  EXPECT_EQ(length_text(95.5), "95.5 s");
  EXPECT_EQ(length_text(0.00012), "120 us");
}

TEST(Axis, TicksAreRoundAndInside) {
  Axis axis = make_axis({0.7, 13.3}, false);
  EXPECT_EQ(axis.low, 0);
  EXPECT_EQ(axis.ticks, (std::vector<double>{0, 2, 4, 6, 8, 10, 12}));
  Axis far = make_axis({1.32, 1.85}, false);
  EXPECT_GT(far.low, 1.2);
  for (double tick : far.ticks) EXPECT_TRUE(tick >= far.low && tick <= far.high);
  Axis wide = make_axis({1, 1000}, true);
  EXPECT_EQ(wide.ticks, (std::vector<double>{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}));
  EXPECT_NEAR(wide.share(1), 0, 0.05);
  EXPECT_NEAR(wide.share(1000), 1, 0.05);
}

TEST(Axis, EqualValuesStillHaveARange) {
  for (double value : {0.0, 3.0, -2.0}) {
    Axis axis = make_axis({value, value}, false);
    EXPECT_GT(axis.high, axis.low);
    EXPECT_FALSE(axis.ticks.empty());
  }
}

}  // namespace
}  // namespace refrain::schedule
