// Ranks that make the same calls in the same order, whatever their numbers: one group is one member of a
// simulation, however many ranks it has.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::simulate {

/// Which parameters of an event matter: those whose values must be known for every rank.
using MattersHere = std::function<bool(const trace::Node& event, size_t parameter)>;

/// The ranks of `ranks` in groups, each ascending, by their first rank. Within a group all streams run the
/// same nodes equally often, and every number that matters either follows from indices and rank or is equal.
/// Streams of which a rank has no part don't count for it.
std::vector<std::vector<uint32_t>> group_ranks(const trace::RankSet& ranks,
                                               const std::vector<const trace::Stream*>& streams,
                                               const MattersHere& matters);

}  // namespace refrain::simulate
