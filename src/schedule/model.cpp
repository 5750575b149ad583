// See model.hpp.
#include "schedule/model.hpp"

#include <algorithm>

namespace refrain::schedule {

namespace {

/// Adds up what `measure` says of each phase, each as often as it runs.
template <class Sum, class Measure>
Sum over_phases(const Job& job, Measure measure) {
  Sum sum = 0;
  for (const Block& block : job.blocks) {
    Sum once = 0;
    for (uint32_t i = 0; i < block.count; ++i) once += measure(job.phases[block.first + i]);
    sum += once * static_cast<Sum>(block.repeat);
  }
  return sum;
}

}  // namespace

uint64_t Machine::nodes() const {
  uint64_t sum = 0;
  for (const IoNode& io_node : io_nodes) sum += io_node.nodes;
  return sum;
}

double Machine::best_bandwidth() const {
  double best = 0;
  for (const IoNode& io_node : io_nodes) best = std::max(best, io_node.bandwidth);
  return best;
}

uint32_t Machine::largest_partition() const {
  uint32_t largest = 0;
  for (const IoNode& io_node : io_nodes) largest = std::max(largest, io_node.nodes);
  return largest;
}

void Job::add_block(const std::vector<Phase>& added, uint64_t repeat) {
  if (added.empty() || repeat == 0) return;
  blocks.push_back({static_cast<uint32_t>(phases.size()), static_cast<uint32_t>(added.size()), repeat});
  phases.insert(phases.end(), added.begin(), added.end());
}

uint64_t Job::phase_count() const {
  uint64_t sum = 0;
  for (const Block& block : blocks) {
    uint64_t product = 0;
    if (__builtin_mul_overflow(block.repeat, uint64_t{block.count}, &product) ||
        __builtin_add_overflow(sum, product, &sum)) {
      return UINT64_MAX;
    }
  }
  return sum;
}

Time Job::compute_time() const {
  return over_phases<Time>(*this, [](const Phase& phase) { return phase.compute; });
}

double Job::volume() const {
  return over_phases<double>(*this, [](const Phase& phase) { return phase.volume; });
}

Time Job::io_time(double bandwidth) const {
  return over_phases<Time>(*this, [=](const Phase& phase) { return transfer_time(phase.volume, bandwidth); });
}

Job periodic_job(int64_t id, uint32_t nodes, uint64_t iterations, Time compute, double volume) {
  Job job{.id = id, .nodes = nodes};
  job.add_block({{compute, volume}}, iterations);
  return job;
}

double io_load(const Workload& workload) {
  double bandwidth = 0;
  for (const IoNode& io_node : workload.machine.io_nodes) bandwidth += io_node.bandwidth;
  auto partitions = static_cast<double>(workload.machine.io_nodes.size());
  bandwidth /= partitions;
  double nodes = static_cast<double>(workload.machine.nodes()) / partitions;
  double io = 0;
  double area = 0;
  for (const Job& job : workload.jobs) {
    io += in_seconds(job.io_time(bandwidth));
    area += static_cast<double>(job.nodes) * in_seconds(job.alone(bandwidth));
  }
  return area > 0 ? nodes * io / area : 0;
}

}  // namespace refrain::schedule
