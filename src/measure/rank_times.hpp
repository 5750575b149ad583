// Times of one rank of a merged trace. A merged trace keeps the times of all ranks that made a call together;
// of one of them we know how often it made the call, and how long that took on average.
#pragma once

#include <vector>

#include "trace/trace.hpp"

namespace refrain::measure {

/// Scales the timings of a tree that at_rank() has taken out of a merged one (with Times::keep) to the calls
/// of the one rank. False, and the timings are gone, if the tree is too long to say how often its calls are
/// made.
bool scale_times(std::vector<trace::Node>& nodes);

}  // namespace refrain::measure
