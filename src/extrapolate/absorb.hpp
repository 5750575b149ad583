// A loop whose last turn was left over. Recording folds 10000, 10000, 3334 as one loop over three sizes, but
// a longer list of equal sizes as a loop and a single call behind it. Runs of different sizes are only alike
// if all of them have one loop.
#pragma once

#include "extrapolate/unify_runs.hpp"

namespace refrain::extrapolate {

/// Takes calls that follow a loop over the same call, from the same place in the program, into the loop. All
/// nodes of the list belong to one run, their numbers are constants or tables; `loops` stand around them.
void absorb_rests(std::vector<trace::Node>& nodes, const trace::RankSet& around, const trace::Trace& run,
                  size_t loops, Lists& lists);

}  // namespace refrain::extrapolate
