// A schedule as a picture: time to the right, compute nodes downwards, one block per partition.
#pragma once

#include <string>
#include <vector>

#include "schedule/simulate.hpp"
#include "schedule/svg.hpp"

namespace refrain::schedule {

/// How many I/O intervals are worth logging for a picture.
inline constexpr size_t gantt_intervals = 5'000'000;

/// Every job is a box as high as its nodes, the redder the more it was stretched; below each partition a
/// strip shows how busy its I/O node was. With few intervals the boxes also show I/O (dark) and waiting for
/// it (hollow).
std::string gantt_svg(const Workload& workload, const Outcome& outcome, const std::vector<IoInterval>& log);

/// The same as a part of a larger picture.
struct GanttPicture {
  Svg svg{};
  double width = 0;
  double height = 0;
};
/// `span` is the time from the left to the right edge; 0: the makespan.
GanttPicture gantt_picture(const Workload& workload, const Outcome& outcome,
                           const std::vector<IoInterval>& log, const std::string& title, Time span = 0);

}  // namespace refrain::schedule
