// How times change with the number of ranks. Nothing about them is exact: what fits best is taken, and the
// trace marks them as estimates. One model per event and class of time: computing, messages from process to
// process, collective communication, reductions, and the call itself.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/time_law.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// What something took on average in one run.
struct TimePoint {
  double nprocs = 0;
  double ns = 0;
};

/// One of the models c, c/P, a·P + b, c/P + b and a·P² + b·P + c, fitted to the points by their relative
/// errors. It is the one that predicts each point best from the others; a more complicated one has to be
/// clearly better. With one point only the constant can be told, with two also c/P.
trace::TimeModel fit_time(const std::vector<TimePoint>& points);

/// Gives every event of `merged` its laws. `by_run` are the same trees, each with the times of one run only;
/// `sizes` their numbers of ranks, ascending.
void fit_times(trace::Process& merged, const std::vector<trace::Process>& by_run,
               const std::vector<uint32_t>& sizes);

}  // namespace refrain::extrapolate
