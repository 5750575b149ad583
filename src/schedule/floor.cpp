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
  for (const IoNode& io_node : workload.machine.io_nodes) states_.push_back({io_node.nodes, 0, 0, {}});
}

std::set<Floor::Running>::iterator Floor::add(uint32_t partition, const Running& running) {
  State& state = states_[partition];
  REFRAIN_CHECK(state.free >= running.nodes);
  state.free -= running.nodes;
  state.load += running.load;
  return state.running.insert(running).first;
}

void Floor::occupy(uint32_t partition, uint32_t nodes, Load load, Time until) {
  add(partition, {until, turns_++, unplanned, nodes, load});
}

void Floor::resume(uint32_t job, uint32_t partition, Time started) {
  const Cost& cost = costs_.at(job, partition);
  entry_[job] = add(partition, {started + cost.alone, turns_++, job, workload_.jobs[job].nodes, cost.load});
  ++states_[partition].jobs;
}

void Floor::start(uint32_t job, uint32_t partition, Time now) {
  resume(job, partition, now);
  started_.push_back({job, partition});
}

void Floor::end(uint32_t job, uint32_t partition) {
  State& state = states_[partition];
  state.free += entry_[job]->nodes;
  state.load -= entry_[job]->load;
  --state.jobs;
  state.running.erase(entry_[job]);
  freed_.push_back(partition);
}

Time Floor::last_expected_end(uint32_t partition) const {
  const std::set<Running>& running = states_[partition].running;
  auto last = std::find_if(running.rbegin(), running.rend(),
                           [](const Running& entry) { return entry.job != unplanned; });
  return last == running.rend() ? 0 : last->expected_end;
}

std::vector<Floor::Start> Floor::take_started() { return std::exchange(started_, {}); }

std::vector<uint32_t> Floor::take_freed() {
  std::vector<uint32_t> freed = std::exchange(freed_, {});
  std::sort(freed.begin(), freed.end());
  freed.erase(std::unique(freed.begin(), freed.end()), freed.end());
  return freed;
}

}  // namespace refrain::schedule
