// What is known of processes besides their calls, when several become one.
#pragma once

#include "trace/trace.hpp"

namespace refrain::merge {

/// The ranks of the process that ended early.
trace::RankSet early_ranks(const trace::Process& process);

/// Adds what `b` lost, and the like, to `a`: by rank, where there are several. The ranks of both are still
/// their own.
void add_counts(trace::Process& a, const trace::Process& b);

/// Has the heat map's only row be that of the rank, if the process is one.
void number_heat(trace::Process& process);
/// Adds the heat map of `b`, likewise.
void add_heat(trace::Process& a, trace::Process& b);

}  // namespace refrain::merge
