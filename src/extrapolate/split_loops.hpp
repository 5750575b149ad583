// Loops of a program that became several nodes. Recording folds what it sees: 0, 8, 16 is a loop over a line,
// 8, 16, 0 a loop of two turns and a call. So ranks whose places in a list differ run other loops, and runs
// have nothing in common, although the program has one loop over a list. And 10000, 10000, 3334 is a loop
// over three sizes, but a longer list of equal sizes a loop and a single call behind it.
#pragma once

#include <utility>
#include <vector>

#include "extrapolate/unify_runs.hpp"

namespace refrain::extrapolate {

/// Takes nodes that stand side by side, and on each rank make the same few calls in turn, again and again, as
/// one loop over these calls. The first node of each group becomes an empty one, the others go away; what
/// belongs there is returned, with its place among the nodes that are left. Its numbers are those that
/// unify_runs.cpp gives the others; its ranks are the run's. `loops` stand around them.
std::vector<std::pair<size_t, trace::Node>> join_split_loops(std::vector<trace::Node>& nodes,
                                                             const trace::RankSet& around,
                                                             const trace::Trace& run, size_t loops,
                                                             SplitLoops which, Lists& lists);

}  // namespace refrain::extrapolate
