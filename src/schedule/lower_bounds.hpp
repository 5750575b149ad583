// How short any schedule of a workload could be at best, whatever its policy and mapping: what a result is
// held against when nobody knows the optimum. See lower_bounds.cpp.
#pragma once

#include "schedule/model.hpp"

namespace refrain::schedule {

/// No schedule in which an I/O node gives no more than its bandwidth can be shorter than any of these.
struct LowerBounds {
  Time area = 0;     ///< all nodes busy all the time
  Time io = 0;       ///< all I/O nodes busy all the time
  Time longest = 0;  ///< some job alone, from its release
  Time filling = 0;  ///< jobs that fill a partition one after another, then the others as above
  Time best() const;
};
LowerBounds lower_bounds(const Workload& workload);

}  // namespace refrain::schedule
