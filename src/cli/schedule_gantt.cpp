// `refrain schedule gantt JOURNAL [JOBS]`: what a coordinator's jobs did, beside what was simulated.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/readable.hpp"
#include "cli/schedule.hpp"
#include "cli/schedule_options.hpp"
#include "coordinate/journal.hpp"
#include "schedule/gantt.hpp"
#include "schedule/job_file.hpp"

namespace refrain::cli {

namespace {

struct GanttOptions {
  std::string journal;
  std::string jobs;
  std::string output;
  bool json = false;
};

using coordinate::Happened;

std::string beside_svg(const Happened& happened, const std::optional<Happened>& simulated) {
  std::string policy(happened.outcome.setup.discipline.policy->name);
  schedule::Time span = happened.outcome.makespan;
  if (simulated) span = std::max(span, simulated->outcome.makespan);
  schedule::GanttPicture picture = schedule::gantt_picture(happened.workload, happened.outcome, happened.log,
                                                           policy + ", as it happened", span);
  if (!simulated) return picture.svg.document(picture.width, picture.height);
  schedule::GanttPicture below = schedule::gantt_picture(simulated->workload, simulated->outcome,
                                                         simulated->log, policy + ", simulated", span);
  picture.svg.place(0, picture.height, below.svg);
  return picture.svg.document(picture.width, picture.height + below.height);
}

std::string comparison_text(const Happened& happened, const std::optional<Happened>& simulated) {
  Table table;
  auto seconds = [](schedule::Time time) { return fmt::format("{:.3f} s", schedule::in_seconds(time)); };
  std::vector<std::string> head{"job", "name", "I/O node", "start", "end", "stretch"};
  if (simulated) head.insert(head.end(), {"simulated end", "stretch"});
  table.row(head);
  for (size_t i = 0; i < happened.workload.jobs.size(); ++i) {
    const schedule::Placement& placement = happened.outcome.placements[i];
    std::vector<std::string> row{std::to_string(happened.workload.jobs[i].id),
                                 printable(happened.workload.jobs[i].name),
                                 std::to_string(placement.partition),
                                 seconds(placement.start),
                                 seconds(placement.end),
                                 fmt::format("{:.3f}", happened.outcome.stretches[i])};
    if (simulated) {
      row.push_back(seconds(simulated->outcome.placements[i].end));
      row.push_back(fmt::format("{:.3f}", simulated->outcome.stretches[i]));
    }
    table.row(row);
  }
  std::string text = "makespan " + seconds(happened.outcome.makespan);
  if (simulated) {
    double ratio = schedule::in_seconds(happened.outcome.makespan) /
                   std::max(1e-9, schedule::in_seconds(simulated->outcome.makespan));
    text += fmt::format(", simulated {} ({:+.1f}%)", seconds(simulated->outcome.makespan), (ratio - 1) * 100);
  }
  return text + "\n\n" + table.text("");
}

std::string comparison_json(const Happened& happened, const std::optional<Happened>& simulated) {
  auto measures = [](const Happened& run) {
    std::string jobs;
    for (size_t i = 0; i < run.workload.jobs.size(); ++i) {
      const schedule::Placement& p = run.outcome.placements[i];
      jobs +=
          fmt::format(R"({}{{"id": {}, "partition": {}, "start": {:.9f}, "end": {:.9f}, "stretch": {:.6f}}})",
                      i == 0 ? "" : ", ", run.workload.jobs[i].id, p.partition, schedule::in_seconds(p.start),
                      schedule::in_seconds(p.end), run.outcome.stretches[i]);
    }
    return fmt::format(
        R"({{"makespan": {:.9f}, "max_stretch": {:.6f}, "mean_stretch": {:.6f}, "ios": {}, "jobs": [{}]}})",
        schedule::in_seconds(run.outcome.makespan), run.outcome.max_stretch, run.outcome.mean_stretch,
        run.log.size(), jobs);
  };
  std::string text = "{\"happened\": " + measures(happened);
  if (simulated) text += ", \"simulated\": " + measures(*simulated);
  return text + "}";
}

Result<int> draw_journal(const GanttOptions& options, Output& out) {
  Result<Happened> happened = coordinate::read_journal(options.journal);
  if (!happened) return tl::unexpected(happened.error());
  std::optional<Happened> simulated;
  if (!options.jobs.empty()) {
    Result<schedule::Workload> jobs = schedule::read_workload(options.jobs);
    if (!jobs) return tl::unexpected(jobs.error());
    Result<Happened> same = coordinate::simulate_same(*happened, *jobs);
    if (!same) return within(options.jobs, same.error());
    simulated = std::move(*same);
  }
  if (!options.output.empty()) {
    Result<void> written = write_text(options.output, beside_svg(*happened, simulated));
    if (!written) return tl::unexpected(written.error());
  }
  out.write(options.json ? comparison_json(*happened, simulated) + "\n"
                         : comparison_text(*happened, simulated));
  return 0;
}

}  // namespace

void add_schedule_gantt(CLI::App& group, Action& action) {
  CLI::App* command =
      add_command(group, "gantt", "Draw what a coordinator's jobs did beside their simulation",
                  "refrain coordinate --journal io.jsonl\n"
                  "  refrain schedule gantt io.jsonl jobs.json -o io.svg");
  auto options = std::make_shared<GanttOptions>();
  command->add_option("JOURNAL", options->journal, "Journal of 'refrain coordinate --journal'")->required();
  command->add_option("JOBS", options->jobs,
                      "Job file with the same ids: their profiles, and bandwidths of the I/O nodes");
  command->add_option("-o", options->output, "Draw into this file, as SVG")->type_name("FILE");
  command->add_flag("--json", options->json, "As JSON");
  command->callback(
      [&action, options] { action = [options](Output& out) { return draw_journal(*options, out); }; });
}

}  // namespace refrain::cli
