// `refrain schedule simulate JOBS`: what happens to these jobs under a policy and a mapping.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/readable.hpp"
#include "cli/schedule.hpp"
#include "cli/schedule_options.hpp"
#include "schedule/experiment.hpp"
#include "schedule/gantt.hpp"
#include "schedule/placements_file.hpp"

namespace refrain::cli {

namespace {

struct SimulateOptions {
  std::string file;
  MachineOptions machine;
  StrategyOptions strategy;
  std::string gantt;
  std::string happened;
  bool json = false;
};

const char* bound_name(const schedule::LowerBounds& bounds) {
  if (bounds.best() == bounds.longest) return "longest job";
  if (bounds.best() == bounds.io) return "I/O volume";
  return bounds.best() == bounds.area ? "nodes and time" : "jobs that fill a partition, and the rest";
}

std::string strategy_text(const schedule::Setup& setup) {
  const schedule::Discipline& discipline = setup.discipline;
  switch (discipline.sharing) {
    case schedule::Sharing::shared:
      return fmt::format("equal shares, {:.3g} lost", discipline.degradation);
    case schedule::Sharing::preemptive:
      return "shortest I/O first, with preemption";
    case schedule::Sharing::unlimited:
      return "none, as if there was no contention";
    case schedule::Sharing::exclusive:
      break;
  }
  return std::string(discipline.policy->name);
}

void print_outcome(const schedule::Workload& workload, const schedule::Outcome& outcome, Output& out) {
  auto row = [&out](const char* name, const std::string& value) {
    out.line(fmt::format("{:<10} {}", name, value));
  };
  double makespan = schedule::in_seconds(outcome.makespan);
  double bound = schedule::in_seconds(outcome.bounds.best());
  const schedule::NodeTime& time = outcome.node_time;
  row("policy", strategy_text(outcome.setup));
  row("mapping", schedule::mapping_text(outcome.setup.mapping));
  row("machine",
      fmt::format("{}, {} nodes", counted(workload.machine.io_nodes.size(), "I/O node", "I/O nodes"),
                  grouped(workload.machine.nodes())));
  row("I/O load", fmt::format("{:.3f}", schedule::io_load(workload)));
  row("makespan", fmt::format("{} s, {:.3f} times the lower bound of {} s ({})",
                              seconds_text(outcome.makespan), bound > 0 ? makespan / bound : 1,
                              seconds_text(outcome.bounds.best()), bound_name(outcome.bounds)));
  row("stretch", fmt::format("{:.3f} at most, {:.3f} on average", outcome.max_stretch, outcome.mean_stretch));
  if (!outcome.packs.empty()) row("packs", grouped(outcome.packs.size()));
  double whole = makespan > 0 ? makespan / 100 : 1;
  row("nodes", fmt::format("{:.1f}% at work, {:.1f}% delayed by I/O, {:.1f}% idle", time.exec / whole,
                           time.delay / whole, time.idle / whole));
  Table table;
  table.row({"job", "name", "nodes", "partition", "start", "end", "stretch"});
  for (size_t i = 0; i < workload.jobs.size(); ++i) {
    const schedule::Placement& placement = outcome.placements[i];
    table.row({std::to_string(workload.jobs[i].id), printable(workload.jobs[i].name),
               grouped(workload.jobs[i].nodes), std::to_string(placement.partition),
               seconds_text(placement.start), seconds_text(placement.end),
               fmt::format("{:.3f}", outcome.stretches[i])});
  }
  out.line("");
  out.write(table.text(""));
}

/// The simulation, and below it in the same scale what happened, if the options name a file that says so.
Result<std::string> picture(const SimulateOptions& options, const schedule::Workload& workload,
                            const schedule::Outcome& simulated,
                            const std::vector<schedule::IoInterval>& log) {
  if (options.happened.empty()) return schedule::gantt_svg(workload, simulated, log);
  Result<std::vector<schedule::Placement>> placements = schedule::read_placements(options.happened, workload);
  if (!placements) return tl::unexpected(placements.error());
  schedule::Outcome happened = schedule::outcome_of(workload, simulated.setup, std::move(*placements));
  schedule::Time span = std::max(simulated.makespan, happened.makespan);
  std::string title = strategy_text(simulated.setup) + ", " + schedule::mapping_text(simulated.setup.mapping);
  schedule::GanttPicture above =
      schedule::gantt_picture(workload, simulated, log, title + ", simulated", span);
  schedule::GanttPicture below =
      schedule::gantt_picture(workload, happened, {}, title + ", as it happened", span);
  above.svg.place(0, above.height, below.svg);
  return above.svg.document(above.width, above.height + below.height);
}

Result<int> run_jobs(const SimulateOptions& options, Output& out) {
  Result<schedule::Setup> setup = make_setup(options.strategy);
  if (!setup) return tl::unexpected(setup.error());
  Result<schedule::Workload> workload = load_workload(options.file, options.machine);
  if (!workload) return tl::unexpected(workload.error());
  std::vector<schedule::IoInterval> log;
  schedule::Outcome outcome = schedule::simulate(*workload, *setup, options.gantt.empty() ? nullptr : &log,
                                                 schedule::gantt_intervals);
  if (!options.gantt.empty()) {
    Result<std::string> drawn = picture(options, *workload, outcome, log);
    if (!drawn) return tl::unexpected(drawn.error());
    Result<void> written = write_text(options.gantt, *drawn);
    if (!written) return tl::unexpected(written.error());
  }
  if (options.json) {
    out.line(schedule::outcome_json(*workload, outcome));
  } else {
    print_outcome(*workload, outcome, out);
  }
  return 0;
}

}  // namespace

void add_schedule_simulate(CLI::App& group, Action& action) {
  CLI::App* command =
      add_command(group, "simulate", "Run the jobs of a file under a policy and a mapping",
                  "refrain schedule simulate jobs.json --policy stretch --mapping easy --sensibility 1.5\n"
                  "  refrain schedule simulate jobs.json --json | jq .makespan\n"
                  "  refrain schedule simulate jobs.json --gantt jobs.svg");
  auto options = std::make_shared<SimulateOptions>();
  command->add_option("JOBS", options->file, "Job file")->required();
  add_strategy_options(*command, options->strategy);
  add_machine_options(*command, options->machine);
  add_picture_option(*command, "--gantt", options->gantt, "Draw the schedule into this file");
  command
      ->add_option(
          "--happened", options->happened,
          "Draw below it what happened: id, partition, start and end of each job, as --json prints them")
      ->type_name("FILE")
      ->needs("--gantt");
  command->add_flag("--json", options->json, "As JSON");
  command->callback(
      [&action, options] { action = [options](Output& out) { return run_jobs(*options, out); }; });
}

}  // namespace refrain::cli
