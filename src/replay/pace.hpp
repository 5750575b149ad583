// How fast a rank goes through the gaps of a trace. Where ranks were merged, the trace knows the gaps before
// a call for all of them together: one that writes while the others wait for it is given a part of their
// waiting, and would be late. What is known of each is that it took no longer than the longest did; gaps that
// don't fit into that are shortened until they do.
#pragma once

#include <cstdint>

#include "trace/trace.hpp"

namespace refrain::replay {

/// The factor, at most 1, by which recorded gaps must be multiplied so that the work of `rank` in `stream`,
/// which is run by all of `ranks`, fits into `elapsed_ns`. Time in barriers is not counted, because the rank
/// will wait there for others again.
double pace(const trace::Trace& trace, const trace::Stream& stream, const trace::RankSet& ranks,
            uint32_t rank, uint64_t elapsed_ns);

}  // namespace refrain::replay
