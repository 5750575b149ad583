// Which numbers of ranks to record, so that laws can be told apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// What can be recorded.
struct Recordable {
  uint32_t most = 64;                                               ///< ranks
  trace::RankExpression only = trace::RankExpression::constant(1);  ///< a condition on P

  bool operator()(uint32_t ranks) const {
    return ranks <= most && only.at(trace::RankExpression::Point{.nprocs = ranks}) != 0;
  }
};

/// The four numbers with the smallest sum at which no two quantities that programs derive from the number of
/// ranks look alike, each about twice the one before; or the four that come nearest to that. Fewer, if no
/// four can be recorded.
std::vector<uint32_t> advise(const Recordable& recordable);

/// How many pairs of quantities look alike at these numbers of ranks: one is a multiple of the other plus a
/// constant, or doesn't change at all; and by how many small numbers they leave too few remainders.
size_t conflicts(const std::vector<uint32_t>& sizes);

/// Runs that settle doubts, with few ranks.
struct FurtherRuns {
  std::vector<uint32_t> sizes{};  ///< the one that tells most per rank first
  size_t open = 0;                ///< doubts that no run settles
};
/// For what is in doubt about the program's own calls in a scale-free trace: at one number of ranks, or
/// anywhere. Each run tells at least two of the laws apart that all runs before it can't.
FurtherRuns further_runs(const trace::Trace& trace, const Recordable& recordable,
                         std::optional<uint32_t> target = std::nullopt);

/// The run that tells most quantities apart per rank, if something has no law at all; 0 if none does.
uint32_t further_run(const std::vector<uint32_t>& sizes, const Recordable& recordable);

}  // namespace refrain::extrapolate
