// The cheapest steady clock there is: the processor's counter. Turning its ticks into nanoseconds needs a
// rate, which aarch64 tells and x86-64 has measured against CLOCK_MONOTONIC.
#pragma once

#include <time.h>

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace refrain {

inline uint64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

inline uint64_t monotonic_ms() { return monotonic_ns() / 1'000'000u; }

inline uint64_t ticks() {
#if defined(__aarch64__)
  uint64_t t;
  asm volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#elif defined(__x86_64__)
  return __rdtsc();
#else
  return monotonic_ns();
#endif
}

/// Ticks as nanoseconds; what doesn't fit (a damaged file) becomes a very long time.
inline uint64_t ticks_to_ns(uint64_t tick_difference, double ns_per_tick) {
  constexpr double longest = 9e18;
  double ns = static_cast<double>(tick_difference) * ns_per_tick;
  return static_cast<uint64_t>(ns < longest ? ns : longest);
}

/// Converts tick differences to nanoseconds.
class TickRate {
 public:
  /// Remembers a pair of readings; call it early.
  void start() {
    start_ticks_ = ticks();
    start_ns_ = monotonic_ns();
#if defined(__aarch64__)
    uint64_t hertz;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
    ns_per_tick_ = hertz ? 1e9 / static_cast<double>(hertz) : 1.0;
#endif
  }
  /// Improves a measured rate; cheap enough to call every few thousand events.
  void refine() {
#if defined(__x86_64__)
    uint64_t t = ticks(), n = monotonic_ns();
    if (t > start_ticks_ && n > start_ns_)
      ns_per_tick_ = static_cast<double>(n - start_ns_) / static_cast<double>(t - start_ticks_);
#endif
  }
  uint64_t ns(uint64_t tick_difference) const { return ticks_to_ns(tick_difference, ns_per_tick_); }
  double rate() const { return ns_per_tick_; }
  uint64_t start_ticks() const { return start_ticks_; }

 private:
  uint64_t start_ticks_ = 0, start_ns_ = 0;
  double ns_per_tick_ = 1.0;
};

}  // namespace refrain
