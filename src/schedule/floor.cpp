// See floor.hpp.
#include "schedule/floor.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace refrain::schedule {

Load Cost::load() const {
  return alone > 0 ? static_cast<Load>(wide(io) * wide(full_load) / wide(alone)) : 0;
}

Costs::Costs(const Workload& workload) {
  std::vector<double> bandwidths;
  for (const IoNode& io_node : workload.machine.io_nodes) {
    auto known = std::find(bandwidths.begin(), bandwidths.end(), io_node.bandwidth);
    kind_.push_back(static_cast<size_t>(known - bandwidths.begin()));
    if (known != bandwidths.end()) continue;
    bandwidths.push_back(io_node.bandwidth);
    std::vector<Cost>& costs = by_bandwidth_.emplace_back();
    for (const Job& job : workload.jobs) {
      Time io = job.io_time(io_node.bandwidth);
      costs.push_back({job.compute_time() + io, io});
    }
  }
  best_ = static_cast<size_t>(std::max_element(bandwidths.begin(), bandwidths.end()) - bandwidths.begin());
}

Floor::Floor(const Workload& workload) : workload_(workload), costs_(workload) {
  for (const IoNode& io_node : workload.machine.io_nodes) states_.push_back({io_node.nodes, 0, {}});
}

void Floor::start(uint32_t job, uint32_t partition, Time now) {
  State& state = states_[partition];
  REFRAIN_CHECK(state.free >= workload_.jobs[job].nodes);
  state.free -= workload_.jobs[job].nodes;
  state.load += costs_.at(job, partition).load();
  state.running.push_back({job, now + costs_.at(job, partition).alone});
  started_.push_back({job, partition});
}

void Floor::end(uint32_t job, uint32_t partition) {
  State& state = states_[partition];
  state.free += workload_.jobs[job].nodes;
  state.load -= costs_.at(job, partition).load();
  std::erase_if(state.running, [job](const Running& running) { return running.job == job; });
}

std::vector<Floor::Start> Floor::take_started() { return std::exchange(started_, {}); }

}  // namespace refrain::schedule
