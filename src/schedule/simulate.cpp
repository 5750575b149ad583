// Runs the engine and takes the measures. A portfolio runs Make-Pack as it was asked for, then every
// candidate, and keeps the shortest makespan among those whose largest and mean stretch are both no worse
// than Make-Pack's; the users of the machine must not pay for its efficiency. Make-Pack itself is one of
// them.
#include "schedule/simulate.hpp"

#include <algorithm>

namespace refrain::schedule {

namespace {

void measure_stretches(const Workload& workload, const Costs& costs, Outcome& outcome) {
  double sum = 0;
  for (uint32_t job = 0; job < workload.jobs.size(); ++job) {
    Time alone = costs.best(job).alone;
    const Placement& placement = outcome.placements[job];
    double stretch = alone > 0 ? in_seconds(placement.end - placement.start) / in_seconds(alone) : 1;
    outcome.stretches.push_back(stretch);
    outcome.max_stretch = std::max(outcome.max_stretch, stretch);
    sum += stretch;
  }
  if (!workload.jobs.empty()) outcome.mean_stretch = sum / static_cast<double>(workload.jobs.size());
  double packs = 0;
  for (const Pack& pack : outcome.packs) {
    double worst = 1;
    for (uint32_t job : pack.jobs) worst = std::max(worst, outcome.stretches[job]);
    packs += worst;
  }
  outcome.pack_stretch =
      outcome.packs.empty() ? outcome.max_stretch : packs / static_cast<double>(outcome.packs.size());
}

void measure_nodes(const Workload& workload, const Costs& costs, Outcome& outcome) {
  double exec = 0;
  double busy = 0;
  for (uint32_t job = 0; job < workload.jobs.size(); ++job) {
    const Placement& placement = outcome.placements[job];
    outcome.makespan = std::max(outcome.makespan, placement.end);
    auto nodes = static_cast<double>(workload.jobs[job].nodes);
    exec += nodes * in_seconds(costs.at(job, placement.partition).alone);
    busy += nodes * in_seconds(placement.end - placement.start);
  }
  auto nodes = static_cast<double>(workload.machine.nodes());
  outcome.node_time = {exec / nodes, in_seconds(outcome.makespan) - busy / nodes, (busy - exec) / nodes};
}

void measure(const Workload& workload, Outcome& outcome) {
  Costs costs(workload);
  measure_stretches(workload, costs, outcome);
  measure_nodes(workload, costs, outcome);
  outcome.bounds = lower_bounds(workload);
}

Outcome simulate_one(const Workload& workload, const Setup& setup, std::vector<IoInterval>* log,
                     size_t log_limit) {
  Outcome outcome{.setup = setup};
  Plan plan = make_plan(workload, setup.mapping);
  outcome.placements = run(workload, setup.discipline, *plan.mapper, log, log_limit);
  outcome.packs = std::move(plan.packs);
  measure(workload, outcome);
  return outcome;
}

Setup with_mapping(Setup setup, MappingKind kind) {
  setup.mapping.kind = kind;
  return setup;
}

}  // namespace

Outcome outcome_of(const Workload& workload, const Setup& setup, std::vector<Placement> placements) {
  Outcome outcome{.setup = setup, .placements = std::move(placements)};
  measure(workload, outcome);
  return outcome;
}

std::vector<Setup> portfolio_candidates(const Setup& setup) {
  std::vector<Discipline> disciplines = {setup.discipline};
  if (setup.discipline.sharing == Sharing::exclusive) {
    const Policy* stretch = *find_policy("stretch");
    if (stretch != setup.discipline.policy) disciplines.push_back({.policy = stretch});
  }
  std::vector<Setup> candidates;
  for (const Discipline& discipline : disciplines) {
    for (double sensibility : {1.0, 1.2, 1.5, 2.0}) {
      candidates.push_back({discipline, {MappingKind::easy, sensibility}});
    }
    for (double sensibility : {1.0, 1.5}) {
      candidates.push_back({discipline, {MappingKind::backfill, sensibility}});
      candidates.push_back({discipline, {MappingKind::make_pack, sensibility}});
    }
    candidates.push_back({discipline, {MappingKind::make_pack, 1, true}});
  }
  return candidates;
}

Outcome simulate(const Workload& workload, const Setup& setup, std::vector<IoInterval>* log,
                 size_t log_limit) {
  if (setup.mapping.kind != MappingKind::portfolio) return simulate_one(workload, setup, log, log_limit);
  Outcome reference = simulate_one(workload, with_mapping(setup, MappingKind::make_pack), nullptr, 0);
  double worst_max = reference.max_stretch;
  double worst_mean = reference.mean_stretch;
  Outcome best = std::move(reference);
  for (const Setup& candidate : portfolio_candidates(setup)) {
    Outcome outcome = simulate_one(workload, candidate, nullptr, 0);
    if (outcome.makespan >= best.makespan) continue;
    if (outcome.max_stretch > worst_max || outcome.mean_stretch > worst_mean) continue;
    best = std::move(outcome);
  }
  return log == nullptr ? best : simulate_one(workload, best.setup, log, log_limit);
}

}  // namespace refrain::schedule
