// The time that the recorded program spent between its calls, spent again. Gaps are drawn from the recorded
// histograms, so that they vary as they did; what the draws of a thread have summed up to is held to what it
// should be, because the sum is known better than any single gap. Waits that are due add up until they are
// long enough to be waited for; long ones sleep, short ones are waited out.
//
// All ranks draw the same gap before the same call. If each drew for itself, every collective call would wait
// for the longest of many draws, and that costs time which the recorded program did not take: the waiting
// that it did see is part of its calls.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/histogram.hpp"

namespace refrain::replay {

class ThinkTime {
 public:
  /// `factor`: 0 for no waiting, 1 for the recorded times.
  ThinkTime(double factor, uint64_t seed) : factor_(factor), seed_(seed) {}

  /// Waits for a gap of those in `recorded`, at a pace, before a call of the signature with this number.
  void wait(const Histogram& recorded, uint32_t signature, double pace = 1) {
    if (factor_ > 0) wait_for(recorded, signature, pace);
  }
  /// Subtracts time that has passed since the last call from the time to wait.
  void spent(double ns) { due_ -= ns; }
  bool waits() const { return factor_ > 0; }
  /// Waits for the time that is still due.
  void settle();

  /// Draws a gap from the distribution `recorded`, in nanoseconds. The n-th gap before calls of a signature
  /// is the same for the same seed.
  double draw(const Histogram& recorded, uint32_t signature);
  double due_ns() const { return due_; }

 private:
  void wait_for(const Histogram& recorded, uint32_t signature, double pace);

  double factor_;
  uint64_t seed_;
  std::unordered_map<uint32_t, uint64_t> draws_{};  ///< number of draws by signature
  double due_ = 0;                                  ///< drawn, and not yet waited for
  double expected_ = 0;                             ///< sum of the means so far
  double drawn_ = 0;                                ///< sum of the draws so far
};

}  // namespace refrain::replay
