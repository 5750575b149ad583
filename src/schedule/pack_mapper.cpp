// Runs packs one after another on their partitions. See mapping.hpp.
#include <algorithm>
#include <utility>

#include "schedule/heap.hpp"
#include "schedule/mapping.hpp"

namespace refrain::schedule {

namespace {

class PackMapper : public Mapper {
 public:
  PackMapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order)
      : packs_(std::move(packs)), order_(std::move(order)), next_(order_.size()) {
    for (uint32_t p = 0; p < order_.size(); ++p) unreleased_.push({0, p});
  }

  void start_jobs(Time now, Floor& floor) override {
    std::vector<uint32_t> candidates = floor.take_freed();
    while (unreleased_.next() <= now) candidates.push_back(static_cast<uint32_t>(unreleased_.pop().job));
    std::sort(candidates.begin(), candidates.end());
    for (uint32_t p : candidates) {
      if (floor.jobs_running(p) > 0 || next_[p] == order_[p].size()) continue;
      const Pack& pack = packs_[order_[p][next_[p]]];
      if (pack.release > now) {
        unreleased_.push({pack.release, p});
        continue;
      }
      if (pack.nodes > floor.free_nodes(p)) continue;  // others, who are not ours to wait for, have them
      for (uint32_t job : pack.jobs) floor.start(job, p, now);
      ++next_[p];
    }
  }

 private:
  std::vector<Pack> packs_;
  std::vector<std::vector<size_t>> order_;
  std::vector<size_t> next_;  ///< by partition, place in its order
  Heap unreleased_;           ///< partitions that wait for the release of their next pack
};

}  // namespace

std::unique_ptr<Mapper> pack_mapper(std::vector<Pack> packs, std::vector<std::vector<size_t>> order) {
  return std::make_unique<PackMapper>(std::move(packs), std::move(order));
}

}  // namespace refrain::schedule
