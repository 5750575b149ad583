// A job on its partition: where it is in its phases, what it has had so far, and the request for I/O that
// follows from both. The engine moves it by its events, the coordinator by what running jobs say.
#pragma once

#include <vector>

#include "schedule/model.hpp"
#include "schedule/request.hpp"

namespace refrain::schedule {

/// A phase in time.
struct Step {
  Time compute = 0;
  Time io = 0;
};

class Progress {
 public:
  Progress() = default;
  /// `alone` is the time the job takes without contention at this bandwidth. The job must outlive this.
  Progress(const Job& job, Time alone, double bandwidth, Time now);

  bool is_over() const { return block_ == job_->blocks.size(); }
  const Step& step() const { return steps_[at_]; }
  Time requested() const { return requested_; }

  void computed() { work_done_ += step().compute; }
  Request request(uint64_t job, Time now) {
    requested_ = now;
    return {job, now, is_over() ? 0 : step().io, total_ - work_done_, started_, io_done_, work_done_};
  }
  void wrote() {
    io_done_ += step().io;
    work_done_ += step().io;
  }
  /// On to the next phase.
  void next() {
    if (++at_ != end_) return;
    if (--left_ > 0) {
      at_ = job_->blocks[block_].first;
      return;
    }
    ++block_;
    if (!is_over()) enter_block();
  }
  void forget_steps() { std::vector<Step>().swap(steps_); }

  /// For those who hear of I/O only: lets the job compute until it asks, or to its end. Once it asks this
  /// changes nothing. However often phases repeat, it costs no more than there are distinct ones.
  void seek_io();
  /// Lets it go through its next `count` I/Os, or to its end. Costs as little.
  void skip_io(uint64_t count);

 private:
  void enter_block();
  uint64_t pass_repetitions(uint64_t most_ios);

  const Job* job_ = nullptr;
  std::vector<Step> steps_;
  size_t block_ = 0;
  uint32_t at_ = 0;
  uint32_t end_ = 0;
  uint64_t left_ = 0;  ///< repetitions of the block, this one included
  bool asks_ = false;  ///< `seek_io` has been here
  Time started_ = 0;
  Time requested_ = 0;
  Time total_ = 0;
  Time io_done_ = 0;
  Time work_done_ = 0;
};

}  // namespace refrain::schedule
