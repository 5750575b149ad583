// See generate.hpp. The paper calls σ a variance; it is taken as a standard deviation, as with the other
// reading the two kinds of jobs could hardly be told apart.
#include "schedule/generate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "schedule/random.hpp"

namespace refrain::schedule {

namespace {

constexpr double low_load = 0.1;
constexpr double high_load = 0.9;
constexpr double load_deviation = 0.1;
constexpr Time microsecond = second / 1'000'000;

/// 2^j with j binomial, such that the mean is `mean`: (1 + p)^trials = mean. A trial succeeds if u < p, that
/// is if (1 + u)^trials < mean, which needs no root.
uint32_t draw_nodes(Random& random, uint32_t largest, double mean) {
  int trials = std::bit_width(largest) - 1;
  uint32_t nodes = 1;
  for (int i = 0; i < trials; ++i) {
    double u = random.unit();
    double power = 1;
    for (int k = 0; k < trials; ++k) power *= 1 + u;
    if (power < mean) nodes *= 2;
  }
  return nodes;
}

Job draw_job(Random& random, int64_t id, const Protocol& protocol, double low_share, double mean_nodes) {
  uint64_t iterations = 250 + random.below(751);
  uint64_t compute_us = 10'000'000 + random.below(90'000'001);
  double mean = random.unit() < low_share ? low_load : high_load;
  double load = random.normal_within(mean, load_deviation, 0, 1);
  double volume_us = std::round(static_cast<double>(compute_us) * load);
  uint32_t nodes = draw_nodes(random, protocol.nodes_per_io_node, mean_nodes);
  return periodic_job(id, nodes, iterations, static_cast<Time>(compute_us) * microsecond, volume_us / 1e6);
}

}  // namespace

Workload table1(uint64_t batches) {
  struct Row {
    Time compute;
    double io;
    uint64_t iterations;
  };
  static constexpr std::array<Row, 5> rows = {
      {{32, 10, 250}, {16, 5, 500}, {8, 2.5, 1000}, {8, 2.5, 1000}, {16, 5, 500}}};
  Workload workload{.machine = Machine::uniform(1, static_cast<uint32_t>(rows.size()))};
  for (const Row& row : rows) {
    auto id = static_cast<int64_t>(workload.jobs.size()) + 1;
    workload.jobs.push_back(periodic_job(id, 1, row.iterations * batches, row.compute * second, row.io));
  }
  return workload;
}

Workload generate(const Protocol& protocol) {
  Random random(protocol.seed, protocol.number);
  double drawn_share = random.unit();
  uint64_t drawn_jobs = 25 + random.below(76);
  double share = protocol.low_share < 0 ? drawn_share : protocol.low_share;
  uint64_t jobs = protocol.jobs == 0 ? drawn_jobs : protocol.jobs;
  double mean_load = share * low_load + (1 - share) * high_load;
  double mean_nodes = protocol.nodes_per_io_node * mean_load / (protocol.load * (1 + mean_load));
  Workload workload{.machine = Machine::uniform(protocol.io_nodes, protocol.nodes_per_io_node)};
  for (uint64_t i = 0; i < jobs; ++i) {
    workload.jobs.push_back(draw_job(random, static_cast<int64_t>(i), protocol, share, mean_nodes));
  }
  return workload;
}

const std::vector<double>& paper_loads() {
  static const std::vector<double> loads = {0.5, 0.75, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  return loads;
}

}  // namespace refrain::schedule
