// Times inside the scheduler are whole nanoseconds. Durations are rounded once, when a job is put on an I/O
// node; from then on everything is sums and comparisons of integers, so that events which coincide on paper
// coincide here, and every platform gives the same schedule.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace refrain::schedule {

using Time = int64_t;  ///< nanoseconds
/// For products of times, none of which is negative.
__extension__ using Wide = unsigned __int128;
inline Wide wide(Time time) { return static_cast<Wide>(time); }

inline constexpr Time second = 1'000'000'000;
inline constexpr Time never = std::numeric_limits<Time>::max();
/// The longest that all jobs of a workload may take one after another: 18 years.
inline constexpr Time longest_time = Time{1} << 59;

inline double in_seconds(Time time) { return static_cast<double>(time) / static_cast<double>(second); }
/// `seconds` must be finite and below `longest_time`.
inline Time from_seconds(double seconds) { return std::llround(seconds * static_cast<double>(second)); }
/// The largest whole number up to 2^62 that, as a double, is at most `limit`; -1 if there is none.
inline int64_t largest_within(double limit) {
  int64_t low = -1;
  for (int64_t step = int64_t{1} << 62; step > 0; step /= 2) {
    if (step <= (int64_t{1} << 62) - low && static_cast<double>(low + step) <= limit) low += step;
  }
  return low;
}
/// How long `volume` takes at `bandwidth`. Both must be finite, the bandwidth positive.
inline Time transfer_time(double volume, double bandwidth) { return from_seconds(volume / bandwidth); }

}  // namespace refrain::schedule
