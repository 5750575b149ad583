// Make-Pack leaves nodes free: beside a pack whose bandwidth is used up, and behind jobs that end before the
// longest of their pack. This mapper runs the same packs in the same order, and lets single jobs of packs
// that have not started yet go ahead where
//   - the nodes are free,
//   - the job should end before the pack does, by its time without contention, and
//   - the I/O that is left to do there until the pack ends, the job's included, stays within the sensibility
//     times the time left: the constraint under which packs are made, for the rest of the pack.
// Jobs go by decreasing time. A pack all of whose jobs went ahead is skipped; one that lost only some starts
// when its turn comes, with the rest. A pack waits for the jobs that filled in before it, so that what it was
// made for, its nodes and its share of the bandwidth, is there when it starts.
#include <algorithm>
#include <utility>

#include "schedule/mapping.hpp"

namespace refrain::schedule {

namespace {

class BackfillMapper : public Mapper {
 public:
  BackfillMapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order, const Workload& workload,
                 double sensibility)
      : packs_(std::move(packs)),
        order_(std::move(order)),
        next_(order_.size()),
        pack_end_(order_.size()),
        sensibility_(sensibility),
        waiting_(longest_first(workload, Costs(workload))),
        started_(workload.jobs.size()) {}

  void start_jobs(Time now, Floor& floor) override {
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.running(p).empty()) start_pack(p, now, floor);
    }
    for (uint32_t p = 0; p < floor.partitions(); ++p) fill(p, now, floor);
    std::erase_if(waiting_, [this](uint32_t job) { return started_[job]; });
  }

 private:
  void start(uint32_t job, uint32_t p, Time now, Floor& floor) {
    floor.start(job, p, now);
    started_[job] = true;
  }

  void start_pack(uint32_t p, Time now, Floor& floor) {
    for (; next_[p] < order_[p].size() && floor.running(p).empty(); ++next_[p]) {
      const Pack& pack = packs_[order_[p][next_[p]]];
      bool left =
          std::any_of(pack.jobs.begin(), pack.jobs.end(), [&](uint32_t job) { return !started_[job]; });
      if (left && pack.release > now) return;
      for (uint32_t job : pack.jobs) {
        if (!started_[job]) start(job, p, now, floor);
      }
      for (const Floor::Running& running : floor.running(p)) {
        pack_end_[p] = std::max(pack_end_[p], running.expected_end);
      }
    }
  }

  void fill(uint32_t p, Time now, Floor& floor) {
    if (floor.running(p).empty()) return;
    for (uint32_t job : waiting_) {
      if (floor.free_nodes(p) == 0) return;
      const Job& candidate = floor.workload().jobs[job];
      const Cost& cost = floor.costs().at(job, p);
      if (started_[job] || candidate.release > now || candidate.nodes > floor.free_nodes(p)) continue;
      if (now + cost.alone > pack_end_[p]) continue;
      if (io_left(p, now, floor) + in_seconds(cost.io) > sensibility_ * in_seconds(pack_end_[p] - now))
        continue;
      start(job, p, now, floor);
    }
  }

  /// Seconds of I/O that the running jobs should still have to do, at an even rate.
  static double io_left(uint32_t p, Time now, const Floor& floor) {
    double sum = 0;
    for (const Floor::Running& running : floor.running(p)) {
      if (running.expected_end <= now) continue;
      const Cost& cost = floor.costs().at(running.job, p);
      sum += in_seconds(cost.io) * in_seconds(running.expected_end - now) / in_seconds(cost.alone);
    }
    return sum;
  }

  std::vector<Pack> packs_;
  std::vector<std::vector<size_t>> order_;
  std::vector<size_t> next_;
  std::vector<Time> pack_end_;  ///< by partition, when its running pack should end
  double sensibility_;
  std::vector<uint32_t> waiting_;
  std::vector<bool> started_;
};

}  // namespace

std::unique_ptr<Mapper> backfill_mapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order,
                                        const Workload& workload, double sensibility) {
  return std::make_unique<BackfillMapper>(std::move(packs), std::move(order), workload, sensibility);
}

}  // namespace refrain::schedule
