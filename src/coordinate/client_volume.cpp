// See client_volume.hpp.
#include "coordinate/client_volume.hpp"

namespace refrain::coordinate {

namespace {

/// Libraries read and write a little besides the data: what is this close to the end of a phase is its end.
constexpr double tolerated_part = 0.01;

}  // namespace

VolumeCursor::VolumeCursor(Profile profile, double share) : profile_(std::move(profile)), share_(share) {
  known_ = next();
}

bool VolumeCursor::next() {
  while (block_ < profile_.blocks.size()) {
    const schedule::Block& block = profile_.blocks[block_];
    if (repeat_ == block.repeat) {
      ++block_;
      repeat_ = 0;
      at_ = 0;
      continue;
    }
    double volume = profile_.phases[block.first + at_].volume * share_;
    if (++at_ == block.count) {
      at_ = 0;
      ++repeat_;
    }
    if (volume > 0) index_ = begun_++;
    if (volume < 1) continue;  // computing only
    end_ += volume;
    tolerance_ = volume * tolerated_part;
    return true;
  }
  index_ = begun_;
  return false;
}

double VolumeCursor::left(double done) {
  while (known_ && done >= end_ - tolerance_) known_ = next();
  return known_ ? end_ - done : 0;
}

}  // namespace refrain::coordinate
