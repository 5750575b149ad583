// What laws of times give at a number of ranks.
#pragma once

#include "trace/trace.hpp"

namespace refrain::scale {

/// What came of evaluating laws.
struct Estimates {
  uint64_t made = 0;
  uint64_t negative = 0;  ///< of those; taken to be zero
};

/// Replaces the laws of a process, whose trees are those of `nprocs` ranks already, by what they give there:
/// histograms that are spread as the recorded ones, with as many samples as the events have executions. That
/// number is exact where loops run equally often on all ranks, else an average over some of them.
void estimate_times(trace::Process& process, uint32_t nprocs, Estimates& estimates);

}  // namespace refrain::scale
