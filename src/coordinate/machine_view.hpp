// Slurm's state as the scheduler's model sees it: partitions of nodes, jobs that run or wait on them, and
// what others take.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinate/dispatch.hpp"
#include "coordinate/job_profile.hpp"
#include "schedule/floor.hpp"

namespace refrain::coordinate {

/// A job with a profile that runs or may start.
struct ViewedJob {
  const SlurmJob* slurm = nullptr;
  JobProfile profile{};
  DispatchNote note{};
  std::optional<uint32_t> partition{};  ///< where it runs, or is about to
  schedule::Time started = 0;
};

/// Somebody without a profile, or nodes that nobody has any more but are not free yet.
struct Occupant {
  uint32_t partition = 0;
  uint32_t nodes = 0;
  double load = 0;
  schedule::Time until = 0;
};

class MachineView {
 public:
  /// `state` must outlive it.
  MachineView(const SlurmState& state, const DispatchOptions& options, schedule::Time now);

  const schedule::Workload& workload() const { return workload_; }
  /// By position in the workload, in the order of their ids.
  const std::vector<ViewedJob>& jobs() const { return jobs_; }
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  size_t others() const { return others_; }
  /// What runs is there.
  schedule::Floor floor() const;

 private:
  struct Use {
    uint32_t idle = 0;
    uint32_t busy = 0;
    uint32_t taken = 0;    ///< of the busy ones, by jobs that were found
    uint32_t awaited = 0;  ///< by jobs that are about to start
  };

  void count_nodes(const SlurmState& state);
  void add_running(const SlurmJob& job, std::optional<JobProfile> profile);
  void add_waiting(const SlurmJob& job, JobProfile profile);
  void make_machine();
  void leave_out_impossible();
  void make_workload();

  const DispatchOptions& options_;
  schedule::Time now_;
  std::map<std::string, uint32_t, std::less<>> partition_of_;  ///< by node that is usable
  std::set<std::string> claimed_;                              ///< nodes that a job was found on
  std::vector<Use> use_;                                       ///< by partition
  std::vector<ViewedJob> jobs_;
  std::vector<Occupant> occupants_;
  std::vector<LeftOut> left_out_;
  size_t others_ = 0;
  schedule::Workload workload_;
};

}  // namespace refrain::coordinate
