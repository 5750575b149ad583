// See floor.hpp.
#include "schedule/floor.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"

namespace refrain::schedule {

namespace {

Cost cost_of(Time compute, Time io) {
  Time alone = compute + io;
  return {alone, io, alone > 0 ? static_cast<Load>(wide(io) * wide(full_load) / wide(alone)) : 0};
}

}  // namespace

Costs::Costs(const Workload& workload) {
  std::map<double, size_t> kinds;
  for (const IoNode& io_node : workload.machine.io_nodes) {
    auto [known, added] = kinds.try_emplace(io_node.bandwidth, kinds.size());
    kind_.push_back(known->second);
    if (!added) continue;
    std::vector<Cost>& costs = by_bandwidth_.emplace_back();
    costs.reserve(workload.jobs.size());
    for (const Job& job : workload.jobs) {
      costs.push_back(cost_of(job.compute_time(), job.io_time(io_node.bandwidth)));
    }
  }
  if (!kinds.empty()) best_ = kinds.rbegin()->second;
}

Floor::Floor(const Workload& workload) : workload_(workload), costs_(workload), entry_(workload.jobs.size()) {
  for (const IoNode& io_node : workload.machine.io_nodes) states_.push_back({io_node.nodes, 0, {}});
}

void Floor::start(uint32_t job, uint32_t partition, Time now) {
  State& state = states_[partition];
  REFRAIN_CHECK(state.free >= workload_.jobs[job].nodes);
  const Cost& cost = costs_.at(job, partition);
  state.free -= workload_.jobs[job].nodes;
  state.load += cost.load;
  entry_[job] = state.running.insert({now + cost.alone, turns_++, job}).first;
  started_.push_back({job, partition});
}

void Floor::end(uint32_t job, uint32_t partition) {
  State& state = states_[partition];
  state.free += workload_.jobs[job].nodes;
  state.load -= costs_.at(job, partition).load;
  state.running.erase(entry_[job]);
  freed_.push_back(partition);
}

std::vector<Floor::Start> Floor::take_started() { return std::exchange(started_, {}); }

std::vector<uint32_t> Floor::take_freed() {
  std::vector<uint32_t> freed = std::exchange(freed_, {});
  std::sort(freed.begin(), freed.end());
  freed.erase(std::unique(freed.begin(), freed.end()), freed.end());
  return freed;
}

}  // namespace refrain::schedule
