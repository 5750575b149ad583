// See waiting.hpp. One index for each bandwidth, as loads and times depend on it.
#include "schedule/waiting.hpp"

#include <algorithm>

#include "schedule/packs.hpp"

namespace refrain::schedule {

WaitingJobs::WaitingJobs(const Workload& workload, const Costs& costs)
    : order_(longest_first(workload, costs)), position_(order_.size()) {
  std::vector<bool> present;
  for (uint32_t position = 0; position < order_.size(); ++position) {
    uint32_t job = order_[position];
    position_[job] = position;
    present.push_back(workload.jobs[job].release == 0);
    if (!present.back()) unreleased_.push_back(job);
  }
  for (const Job& job : workload.jobs) release_.push_back(job.release);
  std::sort(unreleased_.begin(), unreleased_.end(),
            [this](uint32_t a, uint32_t b) { return release_[a] > release_[b]; });
  for (size_t kind = 0; kind < costs.kinds(); ++kind) {
    std::vector<Room> needs;
    for (uint32_t job : order_) {
      const Cost& cost = costs.of_kind(job, kind);
      needs.push_back({workload.jobs[job].nodes, cost.load, cost.alone});
    }
    by_kind_.emplace_back(needs, present);
  }
}

std::vector<uint32_t> WaitingJobs::let_in(Time now) {
  std::vector<uint32_t> fresh;
  while (!unreleased_.empty() && release_[unreleased_.back()] <= now) {
    fresh.push_back(unreleased_.back());
    unreleased_.pop_back();
    for (JobIndex& index : by_kind_) index.set_present(position_[fresh.back()], true);
  }
  return fresh;
}

WaitingJobs::Position WaitingJobs::first(size_t kind, const Room& room) const {
  return by_kind_[kind].first(room).value_or(none);
}

void WaitingJobs::remove(uint32_t job) {
  for (JobIndex& index : by_kind_) index.set_present(position_[job], false);
}

void WaitingJobs::remove_running(const Floor& floor) {
  std::vector<bool> is_running(position_.size());
  for (uint32_t p = 0; p < floor.partitions(); ++p) {
    for (const Floor::Running& running : floor.running(p)) {
      if (running.job == Floor::unplanned) continue;
      is_running[running.job] = true;
      remove(running.job);
    }
  }
  std::erase_if(unreleased_, [&](uint32_t job) { return is_running[job]; });
}

}  // namespace refrain::schedule
