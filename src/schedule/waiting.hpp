// The jobs that a mapper has not started yet, by decreasing time without contention, and which of them fits.
#pragma once

#include <vector>

#include "schedule/job_index.hpp"

namespace refrain::schedule {

class WaitingJobs {
 public:
  WaitingJobs(const Workload& workload, const Costs& costs);

  /// A place in the order; the longest job comes first.
  using Position = uint32_t;
  static constexpr Position none = UINT32_MAX;

  uint32_t job(Position position) const { return order_[position]; }
  /// Lets in the jobs released up to now. Returns those that were not there before.
  std::vector<uint32_t> let_in(Time now);
  /// The longest of the released jobs, or `none`.
  Position longest() const { return first(0, {UINT32_MAX, never, never}); }
  /// The longest of the released jobs that fits into the room on partitions of a kind (see Costs), or `none`.
  Position first(size_t kind, const Room& room) const;
  /// A job that was let in and has been started now.
  void remove(uint32_t job);
  /// All that run already. To be called before jobs are let in.
  void remove_running(const Floor& floor);

 private:
  std::vector<uint32_t> order_;
  std::vector<Position> position_;    ///< by job
  std::vector<uint32_t> unreleased_;  ///< the next one last
  std::vector<Time> release_;         ///< by job
  std::vector<JobIndex> by_kind_;
};

}  // namespace refrain::schedule
