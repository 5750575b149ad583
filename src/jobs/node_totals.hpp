// How often every node of a merged tree runs and how many bytes it moves, over all ranks, without running the
// tree where its values allow that.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::jobs {

struct NodeTotal {
  double executions = 0;  ///< of the node itself; of a loop: how often it is entered
  double bytes = 0;       ///< read and written by an event
};

struct TreeTotals {
  std::unordered_map<const trace::Node*, NodeTotal> nodes{};
  bool sampled = false;     ///< only some of the ranks were looked at, and counted for the others
  bool incomplete = false;  ///< a stream was too long to be run, and has values that need it

  const NodeTotal& of(const trace::Node& node) const;
};

struct TotalsOptions {
  uint64_t ranks = 256;                ///< at most so many are looked at
  uint64_t walked_events = 5'000'000;  ///< at most so many per rank are run one by one
};

/// Of the outer stream `stream` of `process`, whose nodes must stay where they are while the result is used.
TreeTotals total_nodes(const trace::Trace& trace, const trace::Process& process, const trace::Stream& stream,
                       const TotalsOptions& options = {});

}  // namespace refrain::jobs
