// From a trace to a job: phases of compute and I/O, as the scheduler wants them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "schedule/model.hpp"
#include "trace/trace.hpp"

namespace refrain::jobs {

struct JobOptions {
  double gap_seconds = 0.1;     ///< a longer pause between I/O calls begins a new phase
  uint32_t ranks_per_node = 1;  ///< of the machine that the job will run on
  uint64_t walked_events = 5'000'000;
};

struct TraceJob {
  schedule::Job job{};  ///< volumes in bytes, of all ranks together; id 0
  uint64_t ranks = 1;
  double io_seconds = 0;  ///< in calls that moved data or waited for the disk, on an average rank
  double bandwidth = 0;   ///< measured: bytes per such second; 0 if there were none
  bool waited_for_disk =
      false;  ///< some call did (fsync); otherwise memory may have taken all that was written
  std::vector<std::string> notes{};  ///< what is approximate, beyond times being averages
};

/// The job that the trace's largest process was, by bytes. Fails if no process did any I/O. The cost follows
/// the structure of the trace: a loop is looked at once, however often it ran.
Result<TraceJob> job_of(const trace::Trace& trace, const JobOptions& options);

}  // namespace refrain::jobs
