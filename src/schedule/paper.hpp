// The evaluation of the paper, "Mapping and Scheduling HPC Applications for Optimizing I/O" (Carretero,
// Jeannot, Pallez, Singh, Vidal, ICS 2020), with the mappings added that it names as future work.
#pragma once

#include <string>
#include <vector>

#include "schedule/experiment.hpp"

namespace refrain::schedule {

/// Section 6.1: Table 1 under each policy, with more and more iterations.
struct PolicyStudy {
  struct Point {
    double makespan = 0;
    double max_stretch = 1;
    std::vector<double> stretches{};  ///< by application
  };
  std::vector<uint64_t> batches{};
  std::vector<std::vector<Point>> points{};  ///< by policy, then batches
};

/// Section 6.2: 120 workloads on machines with 1, 3 and 5 I/O nodes.
struct MappingStudy {
  std::vector<size_t> io_nodes{};
  std::vector<Comparison> comparisons{};  ///< by number of I/O nodes
};

struct PaperOptions {
  uint64_t seed = 1;
  unsigned threads = 0;
  uint64_t workloads_per_load = 10;
};

PolicyStudy study_policies(unsigned threads);
MappingStudy study_mappings(const PaperOptions& options, const Tell& tell = {});

/// The strategies of the paper, First-Fit first, then ours.
std::vector<Strategy> paper_strategies();

struct Figure {
  std::string file{};     ///< "figure10.svg"
  std::string caption{};  ///< one paragraph
  std::string svg{};
};
std::vector<Figure> paper_figures(const PolicyStudy& policies, const MappingStudy& mappings);

/// A page that shows all figures, with a table of the means.
std::string paper_index(const std::vector<Figure>& figures, const MappingStudy& mappings);
std::string policy_study_csv(const PolicyStudy& study);

}  // namespace refrain::schedule
