// One run: a workload under a policy and a mapping, and what came of it.
#pragma once

#include <vector>

#include "schedule/lower_bounds.hpp"
#include "schedule/mapping.hpp"

namespace refrain::schedule {

struct Setup {
  Discipline discipline{};
  Mapping mapping{};
};

/// What a compute node does on average, from 0 to the makespan.
struct NodeTime {
  double exec = 0;   ///< computes, or its job does I/O
  double idle = 0;   ///< has no job
  double delay = 0;  ///< its job waits for I/O
};

struct Outcome {
  Setup setup{};  ///< that gave it; for a portfolio the one that was chosen
  std::vector<Placement> placements{};
  std::vector<double> stretches{};  ///< by job: (end - start) / time without contention at the best bandwidth
  std::vector<Pack> packs{};        ///< none for `easy`
  Time makespan = 0;
  double max_stretch = 1;
  double mean_stretch = 1;
  double pack_stretch = 1;  ///< mean over packs of the largest stretch in each; without packs `max_stretch`
  NodeTime node_time{};     ///< seconds
  LowerBounds bounds{};
};

Outcome simulate(const Workload& workload, const Setup& setup, std::vector<IoInterval>* log = nullptr,
                 size_t log_limit = 0);

/// The measures of placements that came from elsewhere, a real machine say; by position of the job.
Outcome outcome_of(const Workload& workload, const Setup& setup, std::vector<Placement> placements);

/// What a portfolio tries, besides `setup` itself with Make-Pack.
std::vector<Setup> portfolio_candidates(const Setup& setup);

}  // namespace refrain::schedule
