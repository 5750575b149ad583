// How long each rank computed before the calls that ranks share. A trace keeps one histogram of gaps per call
// for all its ranks together. That is not enough where some ranks make calls of their own in between:
//
//   loop 3000                               computing before it
//     [ranks 0] mkdir(...)                  80 us
//     MPI_Barrier(MPI_COMM_WORLD)           40 us on average over two ranks
//
// Rank 0 computes before it makes the folder and comes to the barrier at once, rank 1 computes before the
// barrier. If both spent 40 us there, rank 0 would compute 120 us in each iteration, and all would wait for
// it. So ranks are assumed to compute equally long: before a call that all make, each rank computes up to a
// common level, less what it has computed before calls of its own. The level is the one that gives the
// recorded average: 80 us here, all of which rank 0 has computed already.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "trace/trace.hpp"

namespace refrain::plan {

/// Before an execution of a call that all ranks make, in nanoseconds.
struct Level {
  double ns = 0;      ///< to be reached, including what was spent before calls that only this rank made
  double own_ns = 0;  ///< the rest of it for the given rank
};

struct Levels {
  std::unordered_map<const trace::Node*, Level>
      shared{};                                  ///< calls of all ranks that follow calls of some ranks
  std::unordered_set<const trace::Node*> own{};  ///< calls that only some ranks make
};

/// Selects one of a timing's times, summed over all executions.
using TimeOf = uint64_t (*)(const trace::Timing& timing);
uint64_t gap_ns(const trace::Timing& timing);
/// The gap without communication.
uint64_t computing_ns(const trace::Timing& timing);

/// The levels of the calls in a stream that `ranks` have, as `rank` sees them. None in very large jobs.
Levels find_levels(const std::vector<trace::Node>& nodes, const trace::RankSet& ranks, uint32_t rank,
                   TimeOf time);

/// The process with the gaps that the rank is assumed to have had.
trace::Process with_times_of(const trace::Process& process, uint32_t rank);

}  // namespace refrain::plan
