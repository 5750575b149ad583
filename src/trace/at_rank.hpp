// From a merged trace to the trace of one rank: everything that was written for the tree of a single process
// works on what these functions return.
#pragma once

#include "trace/trace.hpp"

namespace refrain::trace {

/// The ranks that run a node which stands among those run by `around`.
inline const RankSet& ranks_of(const Node& node, const RankSet& around) {
  return node.ranks.empty() ? around : node.ranks;
}
inline const RankSet& ranks_of(const Stream& stream, const Process& process) {
  return stream.ranks.empty() ? process.ranks : stream.ranks;
}

/// Timings are those of all ranks together: kept on request, by those who know.
enum class Times : uint8_t { drop, keep };

/// What `rank` runs of nodes that stand among those run by `around`: without rank sets, with numbers that
/// are constants. O(nodes).
std::vector<Node> at_rank(const std::vector<Node>& nodes, const RankSet& around, uint32_t rank,
                          Times times = Times::drop);

/// The process as it was on one of its ranks, except what merging doesn't keep of each (see Process).
Process at_rank(const Process& process, uint32_t rank, Times times = Times::drop);

/// All of the trace but what the processes did.
Trace without_processes(const Trace& trace);

/// The trace reduced to the processes of that rank.
Trace at_rank(const Trace& trace, uint32_t rank);

/// Whether the nodes are the same on every rank: no rank sets, and numbers that are constants.
bool is_plain(const std::vector<Node>& nodes);

}  // namespace refrain::trace
