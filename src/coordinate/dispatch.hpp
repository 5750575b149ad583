// Which held jobs start where, from a look at Slurm: the mappings of `schedule` on a real machine. A pure
// function of what Slurm says and the time. What has to be remembered, the packs, is written into the jobs
// themselves (dispatch_note.hpp), so whoever asks next, after whatever break, goes on from there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "coordinate/dispatch_note.hpp"
#include "coordinate/slurm_state.hpp"
#include "schedule/mapping.hpp"

namespace refrain::coordinate {

struct DispatchOptions {
  schedule::Mapping mapping{};
  std::vector<std::string> partitions{};  ///< partition K has I/O node K
  std::vector<double> bandwidth{};  ///< by partition; empty: the median of what the profiles say, for all
  double load_of_others = 0.1;      ///< I/O load V/T that a job without a profile is taken to have
  std::string coordinator{};        ///< address for the jobs' gates; empty: they run without
};

struct JobNote {
  int64_t job = 0;
  DispatchNote note{};
};

/// A job with a profile that is left alone, although it is held as if for us.
struct LeftOut {
  int64_t job = 0;
  std::string reason{};
};

struct Decision {
  std::vector<JobNote> planned{};  ///< to be written down: packs that were made now
  std::vector<JobNote> starts{};   ///< to be released, on the partition that the note names
  std::vector<LeftOut> left_out{};
  size_t packs = 0;    ///< in `planned`
  size_t waiting = 0;  ///< jobs that could start, before this decision
  size_t running = 0;  ///< jobs with a profile that run, or are about to
  size_t others = 0;   ///< jobs without that do
};

/// `now` is in nanoseconds since 1970. Partitions must not share nodes; the mapping is not `portfolio`.
Decision decide(const SlurmState& state, const DispatchOptions& options, schedule::Time now);

/// The jobs that could start, on a machine as it is now but empty: for those who want to simulate them.
schedule::Workload waiting_jobs(const SlurmState& state, const DispatchOptions& options, schedule::Time now);

/// The partitions of the machine, by name, if no two of them share a node; otherwise somebody has to say
/// which of them have I/O nodes.
Result<std::vector<std::string>> disjoint_partitions(const SlurmState& state);

/// An error if one of them does not exist or two share a node.
Result<void> check_partitions(const SlurmState& state, const std::vector<std::string>& partitions);

}  // namespace refrain::coordinate
