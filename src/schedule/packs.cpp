// Algorithm 1 of the paper, worked on an example: 8 nodes, S = 1, and jobs (nodes, T, I/O time)
//   A (4, 100, 60)   B (2, 90, 50)   C (2, 80, 30)   D (4, 70, 5)
// A opens pack 1, of length 100. B would bring its I/O to 110 > 1 * 100: it opens pack 2, of length 90. C
// tries the fullest pack first, 1 with 4 nodes: 60 + 30 <= 100 and 4 + 2 <= 8, so it stays there. D needs 4
// nodes; pack 1 has 2 left, pack 2 takes it. With S = infinity B and C would have joined A in a single pack,
// and 140 s of I/O would have been squeezed into its 100 s.
#include "schedule/packs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "schedule/pack_index.hpp"

namespace refrain::schedule {

namespace {

/// The sizes of partitions, in ascending order.
std::vector<uint32_t> partition_sizes(const Machine& machine) {
  std::vector<uint32_t> sizes;
  for (const IoNode& io_node : machine.io_nodes) sizes.push_back(io_node.nodes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// The I/O time that a pack of this length may hold in all; -1 if it takes no further job at all.
Time io_limit(double sensibility, Time length) {
  return largest_within(sensibility * static_cast<double>(length));
}

/// Partitions of equal size and bandwidth, and when each is through with the packs it has been given.
class PartitionKind {
 public:
  void add(uint32_t partition) { partitions_.push_back(partition); }
  void finish(const std::vector<Time>& free_at) {
    while (leaves_ < partitions_.size()) leaves_ *= 2;
    earliest_.assign(2 * leaves_, never);
    for (size_t i = 0; i < partitions_.size(); ++i) set(i, free_at.empty() ? 0 : free_at[partitions_[i]]);
  }

  struct Place {
    Time begin = 0;
    size_t index = 0;
  };
  /// Where something that is released then begins earliest: the first partition among equals.
  Place earliest(Time release) const {
    Time begin = std::max(release, earliest_[1]);
    size_t at = 1;
    while (at < leaves_) at = earliest_[2 * at] <= begin ? 2 * at : 2 * at + 1;
    return {begin, at - leaves_};
  }
  uint32_t partition(size_t index) const { return partitions_[index]; }
  void set(size_t index, Time free_at) {
    size_t at = leaves_ + index;
    earliest_[at] = free_at;
    for (at /= 2; at > 0; at /= 2) earliest_[at] = std::min(earliest_[2 * at], earliest_[2 * at + 1]);
  }

 private:
  std::vector<uint32_t> partitions_;  ///< in ascending order
  size_t leaves_ = 1;
  std::vector<Time> earliest_;  ///< a binary tree: the earliest below each node
};

}  // namespace

std::vector<uint32_t> longest_first(const Workload& workload, const Costs& costs) {
  std::vector<uint32_t> order(workload.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return costs.best(a).alone > costs.best(b).alone; });
  return order;
}

std::vector<Pack> make_packs(const Workload& workload, const Costs& costs, double sensibility) {
  std::vector<Pack> packs;
  std::vector<uint32_t> sizes = partition_sizes(workload.machine);
  PackIndex open;
  for (uint32_t job : longest_first(workload, costs)) {
    uint32_t nodes = workload.jobs[job].nodes;
    const Cost& cost = costs.best(job);
    std::optional<uint32_t> chosen = open.fullest(nodes, cost.io);
    if (chosen) {
      open.remove(*chosen);
    } else {
      chosen = static_cast<uint32_t>(packs.size());
      packs.push_back(
          {.capacity = *std::lower_bound(sizes.begin(), sizes.end(), nodes), .length = cost.alone});
    }
    Pack& pack = packs[*chosen];
    pack.jobs.push_back(job);
    pack.nodes += nodes;
    pack.io += cost.io;
    pack.release = std::max(pack.release, workload.jobs[job].release);
    uint32_t free = pack.capacity - pack.nodes;
    if (free > 0) open.add(*chosen, {pack.nodes, free, io_limit(sensibility, pack.length) - pack.io});
  }
  return packs;
}

std::vector<std::vector<size_t>> place_packs(const Workload& workload, const Costs& costs,
                                             const std::vector<Pack>& packs,
                                             const std::vector<Time>& free_at) {
  const std::vector<IoNode>& io_nodes = workload.machine.io_nodes;
  std::map<std::pair<size_t, uint32_t>, PartitionKind> kinds;  // by bandwidth and size
  for (uint32_t r = 0; r < io_nodes.size(); ++r) kinds[{costs.kind(r), io_nodes[r].nodes}].add(r);
  for (auto& [key, kind] : kinds) kind.finish(free_at);
  std::vector<std::vector<size_t>> order(io_nodes.size());
  std::vector<size_t> longest(packs.size());
  std::iota(longest.begin(), longest.end(), size_t{0});
  std::stable_sort(longest.begin(), longest.end(),
                   [&](size_t a, size_t b) { return packs[a].length > packs[b].length; });
  std::vector<Time> length(costs.kinds());
  for (size_t p : longest) {
    for (size_t kind = 0; kind < costs.kinds(); ++kind) {
      length[kind] = 0;
      for (uint32_t job : packs[p].jobs) {
        length[kind] = std::max(length[kind], costs.of_kind(job, kind).alone);
      }
    }
    PartitionKind* best = nullptr;
    size_t best_index = 0;
    std::pair<Time, uint32_t> best_end{never, 0};  // and the partition
    for (auto& [key, kind] : kinds) {
      if (key.second < packs[p].nodes) continue;
      PartitionKind::Place place = kind.earliest(packs[p].release);
      std::pair<Time, uint32_t> end{place.begin + length[key.first], kind.partition(place.index)};
      if (end >= best_end) continue;
      best = &kind;
      best_index = place.index;
      best_end = end;
    }
    order[best_end.second].push_back(p);
    best->set(best_index, best_end.first);
  }
  return order;
}

}  // namespace refrain::schedule
