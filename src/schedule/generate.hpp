// Workloads: the five applications of the paper's Table 1, and the random ones of its section 6.2.2.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/model.hpp"

namespace refrain::schedule {

/// Table 1, every application with `batches` times its iterations, on one I/O node.
Workload table1(uint64_t batches);

struct Protocol {
  uint32_t io_nodes = 1;
  uint32_t nodes_per_io_node = 2048;
  double load = 1;        ///< α_gen: the I/O load to aim at
  uint32_t jobs = 0;      ///< 0: drawn from 25 … 100
  double low_share = -1;  ///< β: probability that a job has low I/O load; negative: drawn from [0, 1)
  uint64_t seed = 1;
  uint64_t number = 0;  ///< which of the workloads of this seed
};

/// A random workload. Times are whole microseconds.
Workload generate(const Protocol& protocol);

/// The loads of the paper's evaluation: 0.5, 0.75, 1, 2, …, 10.
const std::vector<double>& paper_loads();

}  // namespace refrain::schedule
