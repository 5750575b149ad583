// Make-Pack leaves nodes free: beside a pack whose bandwidth is used up, behind jobs that end before the
// longest of their pack, and on partitions that are through with their packs. This mapper runs the same packs
// in the same order, and fills the gaps. Single jobs of packs that have not started yet go ahead, by
// decreasing time, where
//   - the nodes are free,
//   - the I/O load of what runs there, the job's included, stays within the sensibility, and
//   - the job should end before the running pack does, by its time without contention.
// A partition that has no pack left takes over the longest one that waits elsewhere. A pack whose jobs all
// went ahead is skipped; one that lost only some starts with the rest when its turn comes, and only when the
// jobs that filled in before it have ended, so that the nodes and the bandwidth it was made for are there.
//
// Only what changed is looked at: a job that didn't fit on a partition does not fit later either, unless jobs
// ended or a pack began there. Newly released jobs are held against every partition.
#include <algorithm>
#include <set>
#include <utility>

#include "schedule/mapping.hpp"
#include "schedule/waiting.hpp"

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
        most_load_(largest_within(sensibility * static_cast<double>(full_load))),
        waiting_(workload, Costs(workload)),
        pack_of_(workload.jobs.size()),
        changed_(order_.size()) {
    for (uint32_t p = 0; p < order_.size(); ++p) {
      idle_.insert(p);
      if (!order_[p].empty()) fronts_.insert({-packs_[order_[p][0]].length, p});
    }
    for (size_t pack = 0; pack < packs_.size(); ++pack) {
      left_.push_back(packs_[pack].jobs.size());
      for (uint32_t job : packs_[pack].jobs) pack_of_[job] = pack;
    }
    started_.resize(workload.jobs.size());
  }

  /// Its packs hold what has not started; of the pack that runs only what is left of it is known.
  void take_over(const Floor& floor) override {
    waiting_.remove_running(floor);
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.jobs_running(p) > 0) idle_.erase(p);
      pack_end_[p] = floor.last_expected_end(p);
      changed_[p] = true;
    }
  }

  void start_jobs(Time now, Floor& floor) override {
    std::vector<uint32_t> fresh = waiting_.let_in(now);
    for (uint32_t p : floor.take_freed()) {
      changed_[p] = true;
      if (floor.jobs_running(p) == 0) idle_.insert(p);
    }
    for (uint32_t p : std::vector<uint32_t>(idle_.begin(), idle_.end())) start_pack(p, p, now, floor);
    for (uint32_t p : std::vector<uint32_t>(idle_.begin(), idle_.end())) {
      if (fronts_.empty()) break;
      if (is_through(p)) start_pack(p, fronts_.begin()->second, now, floor);
    }
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (changed_[p] || takes_any(fresh, p, now, floor)) fill(p, now, floor);
      changed_[p] = false;
    }
  }

 private:
  void start(uint32_t job, uint32_t p, Time now, Floor& floor) {
    floor.start(job, p, now);
    started_[job] = true;
    --left_[pack_of_[job]];
    waiting_.remove(job);
  }

  /// It has no pack left.
  bool is_through(uint32_t p) const { return next_[p] == order_[p].size(); }
  const Pack& front(uint32_t p) const { return packs_[order_[p][next_[p]]]; }

  void drop_front(uint32_t p) {
    fronts_.erase({-front(p).length, p});
    ++next_[p];
    if (!is_through(p)) fronts_.insert({-front(p).length, p});
  }

  /// Starts the first pack in the order of `from` that is left, on `p`, if it is released and fits.
  void start_pack(uint32_t p, uint32_t from, Time now, Floor& floor) {
    while (!is_through(from) && left_[order_[from][next_[from]]] == 0) drop_front(from);
    if (is_through(from)) return;
    const Pack& pack = front(from);
    if (pack.release > now || pack.nodes > floor.free_nodes(p)) return;
    for (uint32_t job : pack.jobs) {
      if (!started_[job]) start(job, p, now, floor);
    }
    pack_end_[p] = std::max(pack_end_[p], floor.last_expected_end(p));
    drop_front(from);
    idle_.erase(p);
    changed_[p] = true;
  }

  /// What is free beside the running pack, until its end.
  Room room(uint32_t p, Time now, const Floor& floor) const {
    return {floor.free_nodes(p), most_load_ - floor.load(p), pack_end_[p] - now};
  }

  bool takes_any(const std::vector<uint32_t>& jobs, uint32_t p, Time now, const Floor& floor) const {
    return std::any_of(jobs.begin(), jobs.end(), [&](uint32_t job) {
      const Cost& cost = floor.costs().at(job, p);
      return room(p, now, floor).holds({floor.workload().jobs[job].nodes, cost.load, cost.alone});
    });
  }

  void fill(uint32_t p, Time now, Floor& floor) {
    if (floor.jobs_running(p) == 0) return;
    size_t kind = floor.costs().kind(p);
    for (;;) {
      WaitingJobs::Position found = waiting_.first(kind, room(p, now, floor));
      if (found == WaitingJobs::none) return;
      start(waiting_.job(found), p, now, floor);
    }
  }

  std::vector<Pack> packs_;
  std::vector<std::vector<size_t>> order_;        ///< by partition
  std::vector<size_t> next_;                      ///< by partition, place in its order
  std::set<std::pair<Time, uint32_t>> fronts_{};  ///< next packs by decreasing length, with their partition
  std::set<uint32_t> idle_{};                     ///< partitions on which nothing runs
  std::vector<Time> pack_end_;                    ///< by partition, when its running pack should end
  Load most_load_;
  WaitingJobs waiting_;
  std::vector<size_t> pack_of_;  ///< by job
  std::vector<size_t> left_{};   ///< by pack, jobs that have not started
  std::vector<bool> started_{};  ///< by job
  std::vector<bool> changed_;    ///< by partition, since it was last filled
};

}  // namespace

std::unique_ptr<Mapper> backfill_mapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order,
                                        const Workload& workload, double sensibility) {
  return std::make_unique<BackfillMapper>(std::move(packs), std::move(order), workload, sensibility);
}

}  // namespace refrain::schedule
