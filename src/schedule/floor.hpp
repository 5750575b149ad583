// What a mapper sees of the running machine: free nodes, running jobs and when they should end, and what each
// job costs on each partition. It knows no I/O queues, as a batch scheduler doesn't.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "schedule/model.hpp"

namespace refrain::schedule {

/// A part of an I/O node's bandwidth in units of 2^-40, so that sums don't depend on their order.
using Load = int64_t;
inline constexpr Load full_load = Load{1} << 40;

/// What a job costs on a partition without contention.
struct Cost {
  Time alone = 0;
  Time io = 0;
  Load load = 0;  ///< io / alone, 0 for a job that takes no time
};

/// The costs of all jobs, computed once per distinct bandwidth. O(phases).
class Costs {
 public:
  explicit Costs(const Workload& workload);
  const Cost& at(uint32_t job, uint32_t partition) const { return by_bandwidth_[kind_[partition]][job]; }
  /// At the best bandwidth of the machine: what stretches and orders refer to.
  const Cost& best(uint32_t job) const { return by_bandwidth_[best_][job]; }

  /// Partitions of one kind have the same bandwidth.
  size_t kinds() const { return by_bandwidth_.size(); }
  size_t kind(uint32_t partition) const { return kind_[partition]; }
  const Cost& of_kind(uint32_t job, size_t kind) const { return by_bandwidth_[kind][job]; }

 private:
  std::vector<size_t> kind_;
  size_t best_ = 0;
  std::vector<std::vector<Cost>> by_bandwidth_;
};

class Floor {
 public:
  struct Running {
    Time expected_end = 0;  ///< start plus the time without contention
    uint64_t turn = 0;      ///< in the order of starts
    uint32_t job = 0;       ///< or `unplanned`
    uint32_t nodes = 0;
    Load load = 0;
    bool operator<(const Running& other) const {
      return std::tie(expected_end, turn) < std::tie(other.expected_end, other.turn);
    }
  };
  struct Start {
    uint32_t job = 0;
    uint32_t partition = 0;
  };

  /// Stands for a job that is none of the workload's; see `occupy`.
  static constexpr uint32_t unplanned = UINT32_MAX;

  explicit Floor(const Workload& workload);

  const Workload& workload() const { return workload_; }
  const Costs& costs() const { return costs_; }
  uint32_t partitions() const { return static_cast<uint32_t>(states_.size()); }
  uint32_t free_nodes(uint32_t partition) const { return states_[partition].free; }
  Load load(uint32_t partition) const { return states_[partition].load; }
  /// By expected end, equals by start.
  const std::set<Running>& running(uint32_t partition) const { return states_[partition].running; }
  /// How many of them are jobs of the workload.
  size_t jobs_running(uint32_t partition) const { return states_[partition].jobs; }
  /// When the last of these should end; 0 if there is none.
  Time last_expected_end(uint32_t partition) const;

  /// On a real machine, where the mapper did not start everything itself: a job of the workload has been
  /// running since `started`, or somebody else takes nodes and bandwidth until about then. The nodes must be
  /// free.
  void resume(uint32_t job, uint32_t partition, Time started);
  void occupy(uint32_t partition, uint32_t nodes, Load load, Time until);
  /// The nodes must be free.
  void start(uint32_t job, uint32_t partition, Time now);
  void end(uint32_t job, uint32_t partition);
  /// What was started since the last call.
  std::vector<Start> take_started();
  /// The partitions on which jobs ended since the last call, in ascending order.
  std::vector<uint32_t> take_freed();

 private:
  struct State {
    uint32_t free = 0;
    Load load = 0;
    size_t jobs = 0;
    std::set<Running> running{};
  };
  std::set<Running>::iterator add(uint32_t partition, const Running& running);

  const Workload& workload_;
  Costs costs_;
  std::vector<State> states_;
  std::vector<std::set<Running>::iterator> entry_;  ///< by job that runs
  uint64_t turns_ = 0;
  std::vector<Start> started_;
  std::vector<uint32_t> freed_;  ///< may name a partition several times
};

}  // namespace refrain::schedule
