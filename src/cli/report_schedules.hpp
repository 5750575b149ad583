// Jobs and schedules in a report: their Gantt chart and the figures of `schedule simulate --json`.
#pragma once

#include <string>

#include "cli/schedule_options.hpp"
#include "report/info_json.hpp"

namespace refrain::cli {

/// A job file, simulated.
Result<report::Json> report_of_jobs(const std::string& file, const StrategyOptions& strategy);
/// The journal of a coordinator: what happened.
Result<report::Json> report_of_journal(const std::string& file);

}  // namespace refrain::cli
