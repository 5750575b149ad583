// Job files: a machine and its jobs as JSON. The schema is in docs/schedule.md.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "schedule/model.hpp"

namespace refrain::schedule {

/// What a job file may hold, so that every accepted one can be simulated.
struct FileLimits {
  static constexpr size_t jobs = 1'000'000;
  static constexpr uint64_t phases_per_job = 100'000'000;
  static constexpr uint32_t io_nodes = 100'000;
  static constexpr uint32_t nodes_per_io_node = 1U << 30U;
};

/// Reads and checks. An error names the job and the field.
Result<Workload> parse_workload(std::string_view text);
Result<Workload> read_workload(const std::string& path);

/// One line per job. Reading it back gives the same workload.
std::string workload_text(const Workload& workload);

/// Everything `parse_workload` requires beyond the form of the text; jobs are put in the order of their ids.
Result<void> check_workload(Workload& workload);

}  // namespace refrain::schedule
