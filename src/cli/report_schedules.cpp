// See report_schedules.hpp.
#include "cli/report_schedules.hpp"

#include <filesystem>

#include "coordinate/journal.hpp"
#include "schedule/experiment.hpp"
#include "schedule/gantt.hpp"

namespace refrain::cli {
namespace {

report::Json schedule_run(const std::string& file, const schedule::Workload& workload,
                          const schedule::Outcome& outcome, const std::string& picture) {
  return {{"name", std::filesystem::path(file).filename().string()},
          {"schedule", report::Json::parse(schedule::outcome_json(workload, outcome))},
          {"picture", picture}};
}

}  // namespace

Result<report::Json> report_of_jobs(const std::string& file, const StrategyOptions& strategy) {
  Result<schedule::Setup> setup = make_setup(strategy);
  if (!setup) return tl::unexpected(setup.error());
  Result<schedule::Workload> workload = load_workload(file, {});
  if (!workload) return tl::unexpected(workload.error());
  std::vector<schedule::IoInterval> log;
  schedule::Outcome outcome = schedule::simulate(*workload, *setup, &log, schedule::gantt_intervals);
  return schedule_run(file, *workload, outcome, schedule::gantt_svg(*workload, outcome, log));
}

Result<report::Json> report_of_journal(const std::string& file) {
  Result<coordinate::Happened> happened = coordinate::read_journal(file);
  if (!happened) return tl::unexpected(happened.error());
  std::string policy(happened->outcome.setup.discipline.policy->name);
  schedule::GanttPicture drawn = schedule::gantt_picture(happened->workload, happened->outcome, happened->log,
                                                         policy + ", as it happened");
  return schedule_run(file, happened->workload, happened->outcome,
                      drawn.svg.document(drawn.width, drawn.height));
}

}  // namespace refrain::cli
