// Three bounds look at one resource each: nodes, bandwidth, the time of a single job. The fourth sees that a
// job which fills a partition wastes what it does not use. A job is said to fill if not even the smallest job
// fits beside it. On some partition it then runs alone for at least its own time, and neither the nodes nor
// the bandwidth of that partition help anybody else meanwhile. All partitions together therefore take the
// sum of these times, and besides as long as the other jobs need in nodes or in bandwidth.
//
// Example: one partition of 8 nodes; A (8 nodes) computes 10 s and writes nothing, B and C (4 nodes) write
// for 10 s each. Nodes are busy for (80 + 40 + 40) / 8 = 20 s, the I/O node for 20 s, but A leaves the I/O
// node idle for 10 s: the fourth bound is 10 + max(10, 20) = 30 s.
//
// Where partitions differ, the largest partition and the best bandwidth stand for all of them.
#include "schedule/lower_bounds.hpp"

#include <algorithm>

namespace refrain::schedule {

namespace {

/// What jobs need of one resource each, in seconds.
struct Need {
  double area = 0;    ///< node seconds
  double volume = 0;  ///< as in the job file
};

}  // namespace

Time LowerBounds::best() const { return std::max({area, io, longest, filling}); }

LowerBounds lower_bounds(const Workload& workload) {
  const Machine& machine = workload.machine;
  double bandwidth = 0;
  for (const IoNode& io_node : machine.io_nodes) bandwidth += io_node.bandwidth;
  double best = machine.best_bandwidth();
  uint64_t largest = machine.largest_partition();
  uint64_t smallest_job = largest;
  for (const Job& job : workload.jobs) smallest_job = std::min<uint64_t>(smallest_job, job.nodes);

  LowerBounds bounds;
  Need all;
  Need others;
  double filling = 0;
  for (const Job& job : workload.jobs) {
    Time alone = job.alone(best);
    Need need{static_cast<double>(job.nodes) * in_seconds(alone), job.volume()};
    bounds.longest = std::max(bounds.longest, job.release + alone);
    all = {all.area + need.area, all.volume + need.volume};
    if (job.nodes + smallest_job > largest) {
      filling += in_seconds(alone);
    } else {
      others = {others.area + need.area, others.volume + need.volume};
    }
  }
  bounds.area = from_seconds(all.area / static_cast<double>(machine.nodes()));
  bounds.io = transfer_time(all.volume, bandwidth);
  double rest = std::max(others.area / static_cast<double>(largest), others.volume / best);
  bounds.filling = from_seconds((filling + rest) / static_cast<double>(machine.io_nodes.size()));
  return bounds;
}

}  // namespace refrain::schedule
