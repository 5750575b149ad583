// The time that the recorded program spent between its calls, spent again. Gaps are drawn from the recorded
// histograms, so that they vary as they did; what the draws of a thread have summed up to is held to what it
// should be, because the sum is known better than any single gap. Waits that are due add up until they are
// long enough to be waited for; long ones sleep, short ones are waited out.
#pragma once

#include <cstdint>
#include <random>

#include "base/histogram.hpp"

namespace refrain::replay {

class ThinkTime {
 public:
  /// `factor`: 0 doesn't wait at all, 1 as long as was recorded.
  ThinkTime(double factor, uint64_t seed) : factor_(factor), random_(seed) {}

  /// Waits for a gap of those in `recorded`.
  void wait(const Histogram& recorded);
  /// Waits for what is still due.
  void settle();

  /// A gap like one of those in `recorded`, in nanoseconds.
  double draw(const Histogram& recorded);
  double due_ns() const { return due_; }

 private:
  double factor_;
  std::mt19937_64 random_;
  double due_ = 0;       ///< to be waited for, as drawn
  double expected_ = 0;  ///< sum of the means so far
  double drawn_ = 0;     ///< sum of the draws so far
};

}  // namespace refrain::replay
