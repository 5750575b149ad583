// See experiment.hpp.
#include "schedule/experiment.hpp"

#include <fmt/core.h>

#include <cmath>

namespace refrain::schedule {

namespace {

Run measure(const Workload& workload, const Setup& setup) {
  Outcome outcome = simulate(workload, setup);
  Run run{.load = io_load(workload),
          .io_nodes = workload.machine.io_nodes.size(),
          .makespan = in_seconds(outcome.makespan),
          .lower_bound = in_seconds(outcome.bounds.best()),
          .max_stretch = outcome.max_stretch,
          .mean_stretch = outcome.mean_stretch,
          .pack_stretch = outcome.pack_stretch,
          .packs = outcome.packs.size(),
          .node_time = outcome.node_time};
  Setup ideal = outcome.setup;
  ideal.discipline.sharing = Sharing::unlimited;
  run.ideal = in_seconds(simulate(workload, ideal).makespan);
  if (setup.mapping.kind == MappingKind::portfolio) {
    run.chosen =
        fmt::format("{} {}", mapping_text(outcome.setup.mapping), outcome.setup.discipline.policy->name);
  }
  return run;
}

double ratio(double value, double base) { return base > 0 ? value / base : 1; }

}  // namespace

Comparison compare(const std::vector<NamedWorkload>& workloads, std::vector<Strategy> strategies,
                   unsigned threads, const Tell& tell) {
  Comparison comparison{.strategies = std::move(strategies)};
  for (const NamedWorkload& named : workloads) comparison.workloads.push_back(named.name);
  size_t count = comparison.strategies.size();
  comparison.runs.resize(workloads.size() * count);
  auto body = [&](size_t i) {
    Run run = measure(workloads[i / count].workload, comparison.strategies[i % count].setup);
    run.workload = i / count;
    run.strategy = i % count;
    comparison.runs[i] = std::move(run);
  };
  in_parallel(comparison.runs.size(), threads, body, tell);
  return comparison;
}

double geometric_mean(const std::vector<double>& ratios) {
  double sum = 0;
  for (double value : ratios) sum += std::log(value);
  return ratios.empty() ? 1 : std::exp(sum / static_cast<double>(ratios.size()));
}

StrategySummary summarize(const Comparison& comparison, size_t strategy) {
  std::vector<double> makespan;
  std::vector<double> max_stretch;
  std::vector<double> mean_stretch;
  std::vector<double> over_bound;
  for (size_t w = 0; w < comparison.workloads.size(); ++w) {
    const Run& run = comparison.run(w, strategy);
    const Run& base = comparison.run(w, 0);
    makespan.push_back(ratio(run.makespan, base.makespan));
    max_stretch.push_back(run.max_stretch / base.max_stretch);
    mean_stretch.push_back(run.mean_stretch / base.mean_stretch);
    over_bound.push_back(ratio(run.makespan, run.lower_bound));
  }
  return {geometric_mean(makespan), geometric_mean(max_stretch), geometric_mean(mean_stretch),
          geometric_mean(over_bound)};
}

}  // namespace refrain::schedule
