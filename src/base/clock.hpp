// The cheapest steady clock there is: the processor's counter. Turning its ticks into nanoseconds needs a
// rate, which aarch64 tells and x86-64 has measured against CLOCK_MONOTONIC.
#pragma once

#include <time.h>

#include <cstdint>

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
  return __builtin_ia32_rdtsc();  // <x86intrin.h> takes half a second to compile
#else
  return monotonic_ns();
#endif
}

/// What is longer takes so long.
constexpr double longest_ns = 9e18;

/// Ticks as nanoseconds; what doesn't fit (a damaged file) becomes a very long time.
inline uint64_t ticks_to_ns(uint64_t tick_difference, double ns_per_tick) {
  double ns = static_cast<double>(tick_difference) * ns_per_tick;
  return static_cast<uint64_t>(
      static_cast<int64_t>(ns < longest_ns ? ns : longest_ns));  // signed: one instruction
}

/// Converts tick differences to nanoseconds. The rate is known to a thousandth from the start, which takes 20
/// us where it has to be measured, and gets better with time.
class TickRate {
 public:
  /// Call it early: the longer the time since then, the better the rate.
  void start() {
    start_ = now();
#if defined(__aarch64__)
    uint64_t hertz;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
    ns_per_tick_ = hertz ? 1e9 / static_cast<double>(hertz) : 1.0;
#elif defined(__x86_64__)
    while (monotonic_ns() < start_.ns + 20'000) {
    }
    refine();
#endif
  }
  /// Improves a measured rate; cheap enough to call every few thousand events.
  void refine() {
#if defined(__x86_64__)
    Reading end = now();
    if (end.ticks > start_.ticks && end.ns > start_.ns)
      ns_per_tick_ = static_cast<double>(end.ns - start_.ns) / static_cast<double>(end.ticks - start_.ticks);
#endif
  }
  uint64_t ns(uint64_t tick_difference) const { return ticks_to_ns(tick_difference, ns_per_tick_); }
  double rate() const { return ns_per_tick_; }
  uint64_t start_ticks() const { return start_.ticks; }

 private:
  /// Both clocks at one moment.
  struct Reading {
    uint64_t ticks = 0, ns = 0;
  };
  /// The closest of a few readings: the process may be interrupted between the two clocks.
  static Reading now() {
    Reading best;
    for (uint64_t closest = ~uint64_t{0}, i = 0; i < 4; ++i) {
      uint64_t before = ticks(), ns = monotonic_ns(), after = ticks();
      if (after - before >= closest) continue;
      closest = after - before;
      best = {before + closest / 2, ns};
    }
    return best;
  }

  Reading start_;
  double ns_per_tick_ = 1.0;
};

}  // namespace refrain
