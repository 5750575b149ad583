// Where along its profile a job is, by the bytes that it has moved so far. Phases of the profile are counted
// by volume and not by number: a pause that cuts one in two, or joins two, doesn't put the rest out of step.
#pragma once

#include <cstdint>

#include "coordinate/protocol.hpp"

namespace refrain::coordinate {

class VolumeCursor {
 public:
  VolumeCursor() = default;
  /// `share`: of the volumes, that are moved here.
  VolumeCursor(Profile profile, double share);

  /// Bytes of the phase that `done` bytes have led to that are still to be moved; 0 behind the last one, or
  /// without a profile. Moves on past phases that are done; `done` never decreases.
  double left(double done);
  /// How many phases with I/O lie before the one that the last call of `left` was about.
  uint64_t index() const { return index_; }
  /// Whether `done` completes the phase that the last call of `left` was about.
  bool completes(double done) const { return known_ && done >= end_ - tolerance_; }

 private:
  bool next();

  Profile profile_{};
  double share_ = 1;
  size_t block_ = 0;
  uint64_t repeat_ = 0;
  uint32_t at_ = 0;  ///< of the block's phases
  uint64_t begun_ = 0, index_ = 0;
  double end_ = 0, tolerance_ = 0;
  bool known_ = false;
};

}  // namespace refrain::coordinate
