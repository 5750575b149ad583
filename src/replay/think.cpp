#include "replay/think.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/hash.hpp"

namespace refrain::replay {
namespace {

constexpr double too_short = 2e3;     ///< shorter waits are postponed
constexpr double wakes_late = 60e3;   ///< how late a sleep may end; it is asked to end that much earlier
constexpr double correction = 0.125;  ///< share of the difference to the expected sum that one draw corrects

/// Waits until the clock says `deadline`.
void wait_until(uint64_t deadline) {
  uint64_t now = monotonic_ns();
  if (static_cast<double>(deadline) - static_cast<double>(now) > 2 * wakes_late) {
    uint64_t wake = deadline - static_cast<uint64_t>(wakes_late);
    timespec until{static_cast<time_t>(wake / 1'000'000'000u), static_cast<long>(wake % 1'000'000'000u)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
  while (monotonic_ns() < deadline) {
  }
}

double mean_of(const Histogram& h) {
  return h.count() == 0 ? 0 : static_cast<double>(h.sum_ns()) / static_cast<double>(h.count());
}

}  // namespace

double ThinkTime::draw(const Histogram& recorded, uint32_t signature) {
  uint64_t random = hash_combine(hash_combine(seed_, signature), draws_[signature]++);
  if (recorded.count() <= 1) return static_cast<double>(recorded.sum_ns());
  uint64_t pick = random % recorded.count();
  int b = 0;
  for (; b < Histogram::bucket_count - 1; ++b) {
    uint64_t here = recorded.bucket(b);
    if (pick < here) break;
    pick -= here;
  }
  if (b == 0) return 0;
  double low = std::ldexp(1.0, b - 1), share = static_cast<double>(mix64(~random) >> 11) * 0x1p-53;
  double ns = low + low * share;
  return std::clamp(ns, static_cast<double>(recorded.min_ns()), static_cast<double>(recorded.max_ns()));
}

void ThinkTime::wait_for(const Histogram& recorded, uint32_t signature, double pace) {
  double mean = mean_of(recorded);  // long gaps are made good before long gaps
  double more = std::clamp(correction * (expected_ - drawn_), -mean, mean);
  double gap = std::max(0.0, draw(recorded, signature) + more);
  expected_ += mean;
  drawn_ += gap;
  due_ += gap * pace * factor_;
  if (due_ >= too_short) settle();
}

void ThinkTime::settle() {
  if (due_ <= 0) return;
  uint64_t start = monotonic_ns();
  wait_until(start + static_cast<uint64_t>(due_));
  due_ -= static_cast<double>(monotonic_ns() - start);
}

}  // namespace refrain::replay
