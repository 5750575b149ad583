// `refrain schedule gantt JOURNAL [JOBS]`: what a coordinator's jobs did, beside what was simulated.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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
  std::string mapping;
  std::string sensibility = "1";
  std::string output;
  bool json = false;
};

using coordinate::Happened;

/// What happened, the simulation of the same jobs from where and when they started, and that of a mapping
/// which decides this, too.
struct Compared {
  Happened happened{};
  std::optional<Happened> simulated{};
  std::optional<Happened> planned{};
};

std::string beside_svg(const Compared& compared) {
  std::string policy(compared.happened.outcome.setup.discipline.policy->name);
  std::vector<std::pair<const Happened*, std::string>> drawn{{&compared.happened, ", as it happened"}};
  if (compared.simulated) drawn.emplace_back(&*compared.simulated, ", simulated");
  if (compared.planned)
    drawn.emplace_back(&*compared.planned,
                       ", planned by " + schedule::mapping_text(compared.planned->outcome.setup.mapping));
  schedule::Time span = 0;
  for (const auto& [run, caption] : drawn) span = std::max(span, run->outcome.makespan);
  std::optional<schedule::GanttPicture> all;
  for (const auto& [run, caption] : drawn) {
    schedule::GanttPicture one =
        schedule::gantt_picture(run->workload, run->outcome, run->log, policy + caption, span);
    if (!all) {
      all = std::move(one);
      continue;
    }
    all->svg.place(0, all->height, one.svg);
    all->height += one.height;
    all->width = std::max(all->width, one.width);
  }
  return all->svg.document(all->width, all->height);
}

std::string seconds_of(schedule::Time time) { return fmt::format("{:.3f} s", schedule::in_seconds(time)); }

std::string makespans_text(const Compared& compared) {
  std::string text = "makespan " + seconds_of(compared.happened.outcome.makespan);
  if (compared.simulated) {
    double ratio = schedule::in_seconds(compared.happened.outcome.makespan) /
                   std::max(1e-9, schedule::in_seconds(compared.simulated->outcome.makespan));
    text += fmt::format(", simulated {} ({:+.1f}%)", seconds_of(compared.simulated->outcome.makespan),
                        (ratio - 1) * 100);
  }
  if (compared.planned) text += ", planned " + seconds_of(compared.planned->outcome.makespan);
  return text;
}

std::string comparison_text(const Compared& compared) {
  const auto& [happened, simulated, planned] = compared;
  Table table;
  std::vector<std::string> head{"job", "name", "I/O node", "start", "end", "stretch"};
  if (simulated) head.insert(head.end(), {"simulated end", "stretch"});
  table.row(head);
  for (size_t i = 0; i < happened.workload.jobs.size(); ++i) {
    const schedule::Placement& placement = happened.outcome.placements[i];
    std::vector<std::string> row{std::to_string(happened.workload.jobs[i].id),
                                 printable(happened.workload.jobs[i].name),
                                 std::to_string(placement.partition),
                                 seconds_of(placement.start),
                                 seconds_of(placement.end),
                                 fmt::format("{:.3f}", happened.outcome.stretches[i])};
    if (simulated) {
      row.push_back(seconds_of(simulated->outcome.placements[i].end));
      row.push_back(fmt::format("{:.3f}", simulated->outcome.stretches[i]));
    }
    table.row(row);
  }
  return makespans_text(compared) + "\n\n" + table.text("");
}

std::string comparison_json(const Compared& compared) {
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
  std::string text = "{\"happened\": " + measures(compared.happened);
  if (compared.simulated) text += ", \"simulated\": " + measures(*compared.simulated);
  if (compared.planned) text += ", \"planned\": " + measures(*compared.planned);
  return text + "}";
}

/// All jobs of the file from the beginning, as the mapping places them, under the policy of the journal.
Result<Happened> plan(const GanttOptions& options, const schedule::Setup& happened,
                      schedule::Workload workload) {
  StrategyOptions strategy{.policy = std::string(happened.discipline.policy->name),
                           .mapping = options.mapping,
                           .sensibility = options.sensibility};
  Result<schedule::Setup> setup = make_setup(strategy);
  if (!setup) return tl::unexpected(setup.error());
  Happened planned{.workload = std::move(workload)};
  planned.outcome = schedule::simulate(planned.workload, *setup, &planned.log, schedule::gantt_intervals);
  return planned;
}

Result<Compared> compare(const GanttOptions& options) {
  Result<Happened> happened = coordinate::read_journal(options.journal);
  if (!happened) return tl::unexpected(happened.error());
  Compared compared{.happened = std::move(*happened)};
  if (options.jobs.empty()) return compared;
  Result<schedule::Workload> jobs = schedule::read_workload(options.jobs);
  if (!jobs) return tl::unexpected(jobs.error());
  Result<Happened> same = coordinate::simulate_same(compared.happened, *jobs);
  if (!same) return within(options.jobs, same.error());
  compared.simulated = std::move(*same);
  if (options.mapping.empty()) return compared;
  Result<Happened> planned = plan(options, compared.happened.outcome.setup, std::move(*jobs));
  if (!planned) return tl::unexpected(planned.error());
  compared.planned = std::move(*planned);
  return compared;
}

Result<int> draw_journal(const GanttOptions& options, Output& out) {
  Result<Compared> compared = compare(options);
  if (!compared) return tl::unexpected(compared.error());
  if (!options.output.empty()) {
    Result<void> written = write_text(options.output, beside_svg(*compared));
    if (!written) return tl::unexpected(written.error());
  }
  out.write(options.json ? comparison_json(*compared) + "\n" : comparison_text(*compared));
  return 0;
}

}  // namespace

void add_schedule_gantt(CLI::App& group, Action& action) {
  CLI::App* command =
      add_command(group, "gantt", "Draw what a coordinator's jobs did beside their simulation",
                  "refrain coordinate --journal io.jsonl\n"
                  "  refrain schedule gantt io.jsonl jobs.json -o io.svg\n"
                  "  refrain schedule gantt io.jsonl jobs.json --mapping easy --sensibility 1.5 -o io.svg");
  auto options = std::make_shared<GanttOptions>();
  command->add_option("JOURNAL", options->journal, "Journal of 'refrain coordinate --journal'")->required();
  command->add_option("JOBS", options->jobs,
                      "Job file with the same ids: their profiles, and bandwidths of the I/O nodes");
  command
      ->add_option("--mapping", options->mapping,
                   "Below both what this mapping would have made of all jobs: 'refrain schedule --help'")
      ->type_name("NAME")
      ->needs("JOBS");
  command->add_option("--sensibility", options->sensibility, "Its S")->type_name("S")->needs("--mapping");
  add_picture_option(*command, "-o", options->output, "Draw into this file");
  command->add_flag("--json", options->json, "As JSON");
  command->callback(
      [&action, options] { action = [options](Output& out) { return draw_journal(*options, out); }; });
}

}  // namespace refrain::cli
