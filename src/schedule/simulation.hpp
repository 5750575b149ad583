// The simulation: jobs are started by a mapper, compute, wait for their I/O node, do I/O, and end. Driven by
// events and exact; see the essay in engine.cpp.
#pragma once

#include <vector>

#include "schedule/floor.hpp"
#include "schedule/model.hpp"
#include "schedule/policy.hpp"

namespace refrain::schedule {

/// How jobs behind one I/O node share it.
enum class Sharing : uint8_t {
  exclusive,   ///< one at a time, in the order of a policy, without interruption
  shared,      ///< equal shares of the bandwidth
  preemptive,  ///< one at a time, the shortest I/O left first, with interruption
  unlimited,   ///< the whole bandwidth for each: no contention
};

struct Discipline {
  Sharing sharing = Sharing::exclusive;
  const Policy* policy = &policies()[5];  ///< for `exclusive`
  double degradation = 0;                 ///< for `shared`: part of the bandwidth lost while shared, [0, 1)
};

/// Decides which jobs start where.
class Mapper {
 public:
  virtual ~Mapper() = default;
  /// Called at time 0, when jobs are released and when jobs have ended, after all else of that instant has
  /// settled. Whenever nothing runs any more and all are released, it must start a job if one is left.
  virtual void start_jobs(Time now, Floor& floor) = 0;
  /// Called before anything else where jobs run already: what runs on the floor is not to be started again.
  virtual void take_over(const Floor& /*floor*/) {}
};

/// Where and when a job ran.
struct Placement {
  uint32_t partition = 0;
  Time start = 0;
  Time end = 0;
};

/// One I/O, for those who want to draw them.
struct IoInterval {
  uint32_t partition = 0;
  uint32_t job = 0;
  Time requested = 0;
  Time end = 0;
  Time length = 0;  ///< without contention
};

/// Runs all jobs of the workload; placements are by position of the job. Every job must fit into a partition.
/// I/O intervals go to `log` if there is one, up to `log_limit`.
std::vector<Placement> run(const Workload& workload, const Discipline& discipline, Mapper& mapper,
                           std::vector<IoInterval>* log = nullptr, size_t log_limit = 0);

}  // namespace refrain::schedule
