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
        pack_end_(order_.size()),
        limit_(sensibility * static_cast<double>(full_load)),
        waiting_(longest_first(workload, Costs(workload))),
        started_(workload.jobs.size()) {}

  void start_jobs(Time now, Floor& floor) override {
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.running(p).empty()) start_pack(p, p, now, floor);
    }
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.running(p).empty() && order_[p].empty()) start_pack(p, longest_waiting(p), now, floor);
    }
    for (uint32_t p = 0; p < floor.partitions(); ++p) fill(p, now, floor);
    std::erase_if(waiting_, [this](uint32_t job) { return started_[job]; });
  }

 private:
  void start(uint32_t job, uint32_t p, Time now, Floor& floor) {
    floor.start(job, p, now);
    started_[job] = true;
  }

  bool is_gone(size_t pack) const {
    const std::vector<uint32_t>& jobs = packs_[pack].jobs;
    return std::all_of(jobs.begin(), jobs.end(), [this](uint32_t job) { return started_[job]; });
  }

  /// Starts the first pack in the order of `from` that is left, on `p`, if it is released and fits.
  void start_pack(uint32_t p, uint32_t from, Time now, Floor& floor) {
    std::vector<size_t>& order = order_[from];
    while (!order.empty() && is_gone(order.front())) order.erase(order.begin());
    if (order.empty()) return;
    const Pack& pack = packs_[order.front()];
    if (pack.release > now || pack.nodes > floor.free_nodes(p)) return;
    for (uint32_t job : pack.jobs) {
      if (!started_[job]) start(job, p, now, floor);
    }
    for (const Floor::Running& running : floor.running(p)) {
      pack_end_[p] = std::max(pack_end_[p], running.expected_end);
    }
    order.erase(order.begin());
  }

  /// The partition whose next pack is the longest; orders are by decreasing length.
  uint32_t longest_waiting(uint32_t p) const {
    uint32_t best = p;
    for (uint32_t other = 0; other < order_.size(); ++other) {
      if (order_[other].empty()) continue;
      bool longer =
          order_[best].empty() || packs_[order_[other].front()].length > packs_[order_[best].front()].length;
      if (longer) best = other;
    }
    return best;
  }

  void fill(uint32_t p, Time now, Floor& floor) {
    if (floor.running(p).empty()) return;
    for (uint32_t job : waiting_) {
      if (floor.free_nodes(p) == 0) return;
      const Job& candidate = floor.workload().jobs[job];
      const Cost& cost = floor.costs().at(job, p);
      if (started_[job] || candidate.release > now || candidate.nodes > floor.free_nodes(p)) continue;
      if (now + cost.alone > pack_end_[p]) continue;
      if (static_cast<double>(floor.load(p) + cost.load()) > limit_) continue;
      start(job, p, now, floor);
    }
  }

  std::vector<Pack> packs_;
  std::vector<std::vector<size_t>> order_;  ///< by partition, packs that wait
  std::vector<Time> pack_end_;              ///< by partition, when its running pack should end
  double limit_;                            ///< of the load
  std::vector<uint32_t> waiting_;
  std::vector<bool> started_;
};

}  // namespace

std::unique_ptr<Mapper> backfill_mapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order,
                                        const Workload& workload, double sensibility) {
  return std::make_unique<BackfillMapper>(std::move(packs), std::move(order), workload, sensibility);
}

}  // namespace refrain::schedule
