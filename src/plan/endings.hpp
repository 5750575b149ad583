// Ranks whose recording ends in the middle of the program: killed, crashed, aborted. The others may have gone
// on, so that a program which repeats the trace can come to a call that waits for those ranks for ever.
#pragma once

#include "trace/trace.hpp"

namespace refrain::plan {

/// The ranks of all processes that ended early.
trace::RankSet early_ranks(const trace::Trace& trace);

}  // namespace refrain::plan
