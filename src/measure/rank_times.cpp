#include "measure/rank_times.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "measure/sums.hpp"
#include "trace/expand.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

constexpr uint64_t most_events_run = 20'000'000;

using Counts = std::unordered_map<const Node*, uint64_t>;

bool count_node(const Node& n, const Executions& x, const std::vector<Node>& siblings, Counts& counts);

/// How often each call of the list is made, without running it; false if that takes a run.
bool count_closed(const std::vector<Node>& nodes, const Executions& x, Counts& counts) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](const Node& n) { return count_node(n, x, nodes, counts); });
}

bool count_node(const Node& n, const Executions& x, const std::vector<Node>& siblings, Counts& counts) {
  switch (n.kind) {
    case NodeKind::event:
      counts[&n] = x.count;
      return true;
    case NodeKind::group:
      return count_closed(n.body, x, counts);
    case NodeKind::loop: {
      auto body = inside(n, x, siblings);
      return body && count_closed(n.body, *body, counts);
    }
    case NodeKind::choice:
      break;
  }
  auto arms = arm_counts(n, x);
  if (!arms) return false;
  for (size_t i = 0; i < n.body.size(); ++i)
    if (!count_node(n.body[i], {.count = (*arms)[i], .is_box = false, .trips = x.trips}, n.body, counts))
      return false;
  return true;
}

bool count_by_running(const std::vector<Node>& nodes, Counts& counts) {
  Expander expander(nodes);
  for (uint64_t n = 0; n + expander.idle_steps() < most_events_run; ++n) {
    Expander::Event e = expander.next();
    if (!e.node) return !expander.damaged();
    ++counts[e.node];
  }
  return false;
}

Histogram scaled(const Histogram& all, uint64_t count) {
  if (all.count() == 0 || count == 0) return {};
  return all.rescaled(count, static_cast<double>(all.sum_ns()) / static_cast<double>(all.count()));
}

void set_times(std::vector<Node>& nodes, const Counts& counts) {
  for (Node& n : nodes) {
    set_times(n.body, counts);
    if (n.kind != NodeKind::event) continue;
    auto found = counts.find(&n);
    uint64_t count = found == counts.end() ? 0 : found->second;
    Timing all = std::exchange(n.timing, {});
    n.timing.communication = all.communication.split(count, all.gap.count());
    n.timing.gap = scaled(all.gap, count);
    n.timing.duration = scaled(all.duration, count);
  }
}

}  // namespace

bool scale_times(std::vector<Node>& nodes) {
  Counts counts;
  bool known = count_closed(nodes, {}, counts);
  if (!known) counts.clear();
  if (!known) known = count_by_running(nodes, counts);
  if (!known) counts.clear();
  set_times(nodes, counts);
  return known;
}

}  // namespace refrain::measure
