// Packs of jobs that run together: Algorithm 1 of the paper, and the placing of packs on I/O nodes.
#pragma once

#include <limits>
#include <vector>

#include "schedule/floor.hpp"

namespace refrain::schedule {

inline constexpr double any_load = std::numeric_limits<double>::infinity();

struct Pack {
  std::vector<uint32_t> jobs{};
  uint32_t nodes = 0;     ///< that its jobs need
  uint32_t capacity = 0;  ///< nodes of the partitions it is made for
  Time length = 0;        ///< of its longest job, without contention
  Time io = 0;            ///< of all its jobs
  Time release = 0;       ///< when its last job is released
};

/// Make-Pack: the jobs, by decreasing time without contention, each go to the first pack that has the nodes
/// and whose I/O stays within `sensibility` times its length; packs are tried from the fullest. A job that
/// fits nowhere opens a new pack, whatever its I/O. With `any_load` this is First-Fit. Where partitions
/// differ, a pack is made for the smallest that holds the job which opens it. O(jobs * log packs) where all
/// partitions have the same size.
std::vector<Pack> make_packs(const Workload& workload, const Costs& costs, double sensibility);

/// Longest pack first, each on the partition on which it should end earliest. Gives, by partition, positions
/// of packs in the order in which they run. O(jobs * bandwidths + packs * kinds of partitions * log
/// partitions). `free_at` says, by partition, from when on it takes packs; if it is empty, from 0 on.
std::vector<std::vector<size_t>> place_packs(const Workload& workload, const Costs& costs,
                                             const std::vector<Pack>& packs,
                                             const std::vector<Time>& free_at = {});

/// Jobs by decreasing time without contention; equals by id.
std::vector<uint32_t> longest_first(const Workload& workload, const Costs& costs);

}  // namespace refrain::schedule
