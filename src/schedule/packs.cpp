// Algorithm 1 of the paper, worked on an example: 8 nodes, S = 1, and jobs (nodes, T, I/O time)
//   A (4, 100, 60)   B (2, 90, 50)   C (2, 80, 30)   D (4, 70, 5)
// A opens pack 1, of length 100. B would bring its I/O to 110 > 1 * 100: it opens pack 2, of length 90. C
// tries the fullest pack first, 1 with 4 nodes: 60 + 30 <= 100 and 4 + 2 <= 8, so it stays there. D needs 4
// nodes; pack 1 has 2 left, pack 2 takes it. With S = infinity B and C would have joined A in a single pack,
// and 140 s of I/O would have been squeezed into its 100 s.
#include "schedule/packs.hpp"

#include <algorithm>
#include <numeric>

namespace refrain::schedule {

namespace {

uint32_t smallest_partition_for(const Machine& machine, uint32_t nodes) {
  uint32_t smallest = machine.largest_partition();
  for (const IoNode& io_node : machine.io_nodes) {
    if (io_node.nodes >= nodes) smallest = std::min(smallest, io_node.nodes);
  }
  return smallest;
}

bool takes(const Pack& pack, uint32_t nodes, Time io, double sensibility) {
  return nodes <= pack.capacity - pack.nodes &&
         static_cast<double>(pack.io + io) <= sensibility * static_cast<double>(pack.length);
}

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
  std::vector<size_t> fullest_first;  // equals in the order of their making
  for (uint32_t job : longest_first(workload, costs)) {
    uint32_t nodes = workload.jobs[job].nodes;
    const Cost& cost = costs.best(job);
    auto chosen = std::find_if(fullest_first.begin(), fullest_first.end(),
                               [&](size_t p) { return takes(packs[p], nodes, cost.io, sensibility); });
    if (chosen == fullest_first.end()) {
      packs.push_back({.capacity = smallest_partition_for(workload.machine, nodes), .length = cost.alone});
      chosen = fullest_first.insert(chosen, packs.size() - 1);
    }
    Pack& pack = packs[*chosen];
    pack.jobs.push_back(job);
    pack.nodes += nodes;
    pack.io += cost.io;
    pack.release = std::max(pack.release, workload.jobs[job].release);
    auto place =
        std::find_if(fullest_first.begin(), chosen, [&](size_t p) { return packs[p].nodes < pack.nodes; });
    std::rotate(place, chosen, chosen + 1);
  }
  return packs;
}

std::vector<std::vector<size_t>> place_packs(const Workload& workload, const Costs& costs,
                                             const std::vector<Pack>& packs) {
  const std::vector<IoNode>& io_nodes = workload.machine.io_nodes;
  std::vector<std::vector<size_t>> order(io_nodes.size());
  std::vector<Time> free_at(io_nodes.size());
  std::vector<size_t> longest(packs.size());
  std::iota(longest.begin(), longest.end(), size_t{0});
  std::stable_sort(longest.begin(), longest.end(),
                   [&](size_t a, size_t b) { return packs[a].length > packs[b].length; });
  for (size_t p : longest) {
    uint32_t best = 0;
    Time best_end = never;
    for (uint32_t r = 0; r < io_nodes.size(); ++r) {
      if (io_nodes[r].nodes < packs[p].nodes) continue;
      Time length = 0;
      for (uint32_t job : packs[p].jobs) length = std::max(length, costs.at(job, r).alone);
      Time end = std::max(free_at[r], packs[p].release) + length;
      if (end < best_end) {
        best = r;
        best_end = end;
      }
    }
    order[best].push_back(p);
    free_at[best] = best_end;
  }
  return order;
}

}  // namespace refrain::schedule
