// Many runs: every strategy on every workload, over all cores, and what the results say together.
#pragma once

#include <string>
#include <vector>

#include "base/crew.hpp"
#include "schedule/simulate.hpp"

namespace refrain::schedule {

/// A policy with a mapping.
struct Strategy {
  std::string name{};
  Setup setup{};
};

/// What remains of one run.
struct Run {
  size_t workload = 0;
  size_t strategy = 0;
  double load = 0;  ///< of the workload
  size_t io_nodes = 0;
  double makespan = 0;
  double ideal = 0;  ///< makespan of the same mapping without contention
  double lower_bound = 0;
  double max_stretch = 1;
  double mean_stretch = 1;
  double pack_stretch = 1;
  size_t packs = 0;
  NodeTime node_time{};
  std::string chosen{};  ///< what a portfolio decided for
};

struct Comparison {
  std::vector<std::string> workloads{};  ///< names
  std::vector<Strategy> strategies{};    ///< the first is what others are compared with
  std::vector<Run> runs{};               ///< by workload, then strategy

  const Run& run(size_t workload, size_t strategy) const {
    return runs[workload * strategies.size() + strategy];
  }
};

struct NamedWorkload {
  std::string name{};
  Workload workload{};
};

/// The result does not depend on the number of threads.
Comparison compare(const std::vector<NamedWorkload>& workloads, std::vector<Strategy> strategies,
                   unsigned threads, const Tell& tell = {});

/// The mean of ratios is geometric.
double geometric_mean(const std::vector<double>& ratios);

/// Geometric means over all workloads.
struct StrategySummary {
  double makespan = 1;      ///< relative to the first strategy
  double max_stretch = 1;   ///< likewise
  double mean_stretch = 1;  ///< likewise
  double over_bound = 1;    ///< makespan relative to the lower bound
};
StrategySummary summarize(const Comparison& comparison, size_t strategy);

/// One line per run, with a head.
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

/// The same measures of a single run, with all its jobs.
std::string outcome_json(const Workload& workload, const Outcome& outcome);

}  // namespace refrain::schedule
