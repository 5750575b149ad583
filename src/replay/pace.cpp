#include "replay/pace.hpp"

#include <algorithm>

#include "api/table.hpp"
#include "trace/at_rank.hpp"

namespace refrain::replay {
namespace {

struct Time {
  double gaps = 0, calls = 0;
};

/// The time inside a call, over all its executions.
double call_ns(const trace::Trace& trace, const trace::Node& node) {
  const Histogram& h = node.timing.duration;
  bool waits = node.kind == trace::NodeKind::event &&
               api::traits_of(trace.signatures[node.signature].function).has(api::Trait::is_barrier);
  return waits ? static_cast<double>(h.min_ns()) * static_cast<double>(h.count())
               : static_cast<double>(h.sum_ns());
}

/// The rank's share of the time that all ranks of the nodes took, in nanoseconds.
void add_up(const trace::Trace& trace, const std::vector<trace::Node>& nodes, const trace::RankSet& around,
            uint32_t rank, Time& time) {
  for (const trace::Node& node : nodes) {
    const trace::RankSet& ranks = trace::ranks_of(node, around);
    if (!ranks.empty() && !ranks.contains(rank)) continue;
    double share = ranks.empty() ? 1 : 1 / static_cast<double>(ranks.size());
    time.gaps += static_cast<double>(node.timing.gap.sum_ns()) * share;
    time.calls += call_ns(trace, node) * share;
    add_up(trace, node.body, ranks, rank, time);
  }
}

}  // namespace

double pace(const trace::Trace& trace, const trace::Stream& stream, const trace::RankSet& ranks,
            uint32_t rank, uint64_t elapsed_ns) {
  Time time;
  add_up(trace, stream.nodes, ranks, rank, time);
  if (elapsed_ns == 0 || time.gaps <= 0) return 1;
  return std::clamp((static_cast<double>(elapsed_ns) - time.calls) / time.gaps, 0.0, 1.0);
}

}  // namespace refrain::replay
