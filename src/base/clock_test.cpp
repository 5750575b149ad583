// The rate of the processor's counter against the system's clock. Only what holds however busy the machine
// is.
#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace refrain {
namespace {

TEST(Clock, rate_is_known_from_the_start) {
  TickRate rate;
  rate.start();
  double first = rate.rate();
  uint64_t end = monotonic_ns() + 50'000'000;
  while (monotonic_ns() < end) {
  }
  rate.refine();
  EXPECT_NEAR(first / rate.rate(), 1.0, 0.02);
}

TEST(Clock, ticks_lie_between_readings_of_the_other_clock) {
  TickRate rate;
  rate.start();
  for (int i = 0; i < 20; ++i) {
    uint64_t outer_start = monotonic_ns(), start = ticks(), inner_start = monotonic_ns();
    uint64_t until = inner_start + 5'000'000;
    while (monotonic_ns() < until) {
    }
    uint64_t inner_end = monotonic_ns(), end = ticks(), outer_end = monotonic_ns();
    rate.refine();
    auto measured = static_cast<double>(rate.ns(end - start));
    EXPECT_GE(measured, 0.98 * static_cast<double>(inner_end - inner_start));
    EXPECT_LE(measured, 1.02 * static_cast<double>(outer_end - outer_start));
  }
}

}  // namespace
}  // namespace refrain
