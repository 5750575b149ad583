// Small workloads for tests, in whole seconds, and a mapper that starts every job when it is released.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "schedule/simulate.hpp"

namespace refrain::schedule {

/// Phases as {compute, io} in seconds.
inline Job sample_job(int64_t id, std::initializer_list<std::pair<int, int>> phases, uint32_t nodes = 1,
                      int release = 0) {
  Job job{.id = id, .nodes = nodes, .release = release * second};
  std::vector<Phase> list;
  for (auto [compute, io] : phases) list.push_back({compute * second, static_cast<double>(io)});
  job.add_block(list, 1);
  return job;
}

/// Each job starts at its release on the partition `partition[job]`; nodes don't matter.
class AtRelease : public Mapper {
 public:
  explicit AtRelease(std::vector<uint32_t> partition) : partition_(std::move(partition)) {
    started_.resize(partition_.size());
  }
  void start_jobs(Time now, Floor& floor) override {
    for (uint32_t job = 0; job < partition_.size(); ++job) {
      if (started_[job] || floor.workload().jobs[job].release > now) continue;
      floor.start(job, partition_[job], now);
      started_[job] = true;
    }
  }

 private:
  std::vector<uint32_t> partition_;
  std::vector<bool> started_;
};

inline Discipline by_policy(std::string_view name) { return {.policy = *find_policy(name)}; }

/// When each job ends, in seconds, if all start at their release on one I/O node.
inline std::vector<double> ends(const Workload& workload, const Discipline& discipline) {
  AtRelease mapper(std::vector<uint32_t>(workload.jobs.size()));
  std::vector<double> ends;
  for (const Placement& placement : run(workload, discipline, mapper))
    ends.push_back(in_seconds(placement.end));
  return ends;
}

}  // namespace refrain::schedule
