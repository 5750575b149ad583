// A schedule as a picture: time to the right, compute nodes downwards, one block per partition.
#pragma once

#include <string>
#include <vector>

#include "schedule/simulate.hpp"

namespace refrain::schedule {

/// How many I/O intervals are worth logging for a picture.
inline constexpr size_t gantt_intervals = 5'000'000;

/// Every job is a box as high as its nodes, the redder the more it was stretched; below each partition a
/// strip shows how busy its I/O node was. With few intervals the boxes also show I/O (dark) and waiting for
/// it (hollow).
std::string gantt_svg(const Workload& workload, const Outcome& outcome, const std::vector<IoInterval>& log);

}  // namespace refrain::schedule
