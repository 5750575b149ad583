// `refrain schedule plan JOBS`: which job runs where, in which order, from when to when; for people and for
// the scheduler that carries it out.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "cli/readable.hpp"
#include "cli/schedule.hpp"
#include "cli/schedule_options.hpp"

namespace refrain::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ScheduleOptions {
  std::string file;
  MachineOptions machine;
  StrategyOptions strategy;
  bool json = false;
};

/// A job in the order of its partition.
struct Entry {
  size_t job = 0;
  size_t order = 0;  ///< on its partition, from 1
  size_t pack = 0;   ///< from 1; 0: none
};

/// By partition, then start, then id.
std::vector<Entry> entries_of(const schedule::Outcome& outcome) {
  std::vector<Entry> entries(outcome.placements.size());
  for (size_t i = 0; i < entries.size(); ++i) entries[i].job = i;
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    const schedule::Placement& left = outcome.placements[a.job];
    const schedule::Placement& right = outcome.placements[b.job];
    return std::tie(left.partition, left.start, a.job) < std::tie(right.partition, right.start, b.job);
  });
  std::vector<size_t> pack_of(entries.size());
  for (size_t p = 0; p < outcome.packs.size(); ++p) {
    for (uint32_t job : outcome.packs[p].jobs) pack_of[job] = p + 1;
  }
  size_t order = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    bool same = i > 0 && outcome.placements[entries[i].job].partition ==
                             outcome.placements[entries[i - 1].job].partition;
    order = same ? order + 1 : 1;
    entries[i].order = order;
    entries[i].pack = pack_of[entries[i].job];
  }
  return entries;
}

std::string plan_json(const schedule::Workload& workload, const schedule::Outcome& outcome) {
  Json partitions = Json::array();
  for (size_t p = 0; p < workload.machine.io_nodes.size(); ++p) {
    partitions.push_back({{"partition", p},
                          {"nodes", workload.machine.io_nodes[p].nodes},
                          {"bandwidth", workload.machine.io_nodes[p].bandwidth},
                          {"jobs", Json::array()}});
  }
  for (const Entry& entry : entries_of(outcome)) {
    const schedule::Placement& placement = outcome.placements[entry.job];
    const schedule::Job& job = workload.jobs[entry.job];
    Json json{{"order", entry.order}, {"id", job.id}};
    if (!job.name.empty()) json["name"] = job.name;
    json["nodes"] = job.nodes;
    if (entry.pack > 0) json["pack"] = entry.pack;
    json["start"] = schedule::in_seconds(placement.start);
    json["end"] = schedule::in_seconds(placement.end);
    partitions[placement.partition]["jobs"].push_back(std::move(json));
  }
  Json json{{"mapping", schedule::mapping_text(outcome.setup.mapping)},
            {"policy", outcome.setup.discipline.policy->name},
            {"makespan", schedule::in_seconds(outcome.makespan)},
            {"lower_bound", schedule::in_seconds(outcome.bounds.best())},
            {"partitions", partitions}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void print_plan(const schedule::Workload& workload, const schedule::Outcome& outcome, Output& out) {
  out.line(fmt::format("{}, {}: makespan {} s, lower bound {} s",
                       schedule::mapping_text(outcome.setup.mapping), outcome.setup.discipline.policy->name,
                       seconds_text(outcome.makespan), seconds_text(outcome.bounds.best())));
  Table table;
  table.row({"partition", "order", "job", "name", "nodes", "pack", "start", "end"});
  for (const Entry& entry : entries_of(outcome)) {
    const schedule::Placement& placement = outcome.placements[entry.job];
    const schedule::Job& job = workload.jobs[entry.job];
    table.row({std::to_string(placement.partition), std::to_string(entry.order), std::to_string(job.id),
               printable(job.name), grouped(job.nodes), entry.pack == 0 ? "-" : std::to_string(entry.pack),
               seconds_text(placement.start), seconds_text(placement.end)});
  }
  out.write(table.text(""));
}

Result<int> show_plan(const ScheduleOptions& options, Output& out) {
  Result<schedule::Setup> setup = make_setup(options.strategy);
  if (!setup) return tl::unexpected(setup.error());
  Result<schedule::Workload> workload = load_workload(options.file, options.machine);
  if (!workload) return tl::unexpected(workload.error());
  schedule::Outcome outcome = schedule::simulate(*workload, *setup);
  if (options.json) {
    out.line(plan_json(*workload, outcome));
  } else {
    print_plan(*workload, outcome, out);
  }
  return 0;
}

}  // namespace

void add_schedule_plan(CLI::App& group, Action& action) {
  CLI::App* command =
      add_command(group, "plan", "Say which job of a file runs where, in which order, and when",
                  "refrain schedule plan jobs.json --mapping portfolio\n"
                  "  refrain schedule plan jobs.json --mapping easy --sensibility 1.5 --json");
  auto options = std::make_shared<ScheduleOptions>();
  command->add_option("JOBS", options->file, "Job file")->required();
  add_strategy_options(*command, options->strategy);
  add_machine_options(*command, options->machine);
  command->add_flag("--json", options->json, "As JSON, for another scheduler");
  command->callback(
      [&action, options] { action = [options](Output& out) { return show_plan(*options, out); }; });
}

}  // namespace refrain::cli
