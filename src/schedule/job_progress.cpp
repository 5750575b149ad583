// See progress.hpp.
#include "schedule/job_progress.hpp"

#include <algorithm>

namespace refrain::schedule {

Progress::Progress(const Job& job, Time alone, double bandwidth, Time now)
    : job_(&job), started_(now), total_(alone) {
  steps_.reserve(job.phases.size());
  for (const Phase& phase : job.phases) {
    steps_.push_back({phase.compute, transfer_time(phase.volume, bandwidth)});
  }
  if (!job.blocks.empty()) enter_block();
}

void Progress::enter_block() {
  const Block& block = job_->blocks[block_];
  at_ = block.first;
  end_ = block.first + block.count;
  left_ = block.repeat;
}

/// At the beginning of a repetition of a block: passes as many as have at most so many I/Os together. Returns
/// how many I/Os they had.
uint64_t Progress::pass_repetitions(uint64_t most_ios) {
  const Block& block = job_->blocks[block_];
  uint64_t ios = 0;
  Step sum;
  for (uint32_t at = block.first; at < end_; ++at) {
    ios += steps_[at].io > 0 ? 1 : 0;
    sum.compute += steps_[at].compute;
    sum.io += steps_[at].io;
  }
  uint64_t times = ios == 0 ? left_ : std::min(left_, most_ios / ios);
  io_done_ += sum.io * static_cast<Time>(times);
  work_done_ += (sum.compute + sum.io) * static_cast<Time>(times);
  left_ -= times;
  if (left_ == 0) {
    ++block_;
    if (!is_over()) enter_block();
  }
  return ios * times;
}

void Progress::seek_io() {
  while (!asks_ && !is_over()) {
    if (at_ == job_->blocks[block_].first) {
      size_t block = block_;
      pass_repetitions(0);
      if (block_ != block) continue;
    }
    computed();
    if (step().io > 0) {
      asks_ = true;
    } else {
      next();
    }
  }
}

void Progress::skip_io(uint64_t count) {
  while (count > 0 && !is_over()) {
    if (!asks_ && at_ == job_->blocks[block_].first) {
      size_t block = block_;
      count -= pass_repetitions(count - 1);
      if (block_ != block) continue;
    }
    if (!asks_) computed();
    asks_ = false;
    if (step().io > 0) {
      wrote();
      --count;
    }
    next();
  }
}

}  // namespace refrain::schedule
