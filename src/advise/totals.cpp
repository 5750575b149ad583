// See totals.hpp. A tree that is the same on all ranks is looked at once; another one rank by rank, or where
// that would take long, for some of the ranks that stand for all.
#include "advise/totals.hpp"

#include <algorithm>

#include "trace/at_rank.hpp"

namespace refrain::advise {

using measure::Executions;
using trace::Node;
using trace::NodeKind;

namespace {

constexpr uint64_t most_nodes = uint64_t{1} << 16;  ///< of all ranks together
constexpr uint64_t fewest_ranks = 16, most_ranks = 4096;

uint64_t count_nodes(const std::vector<Node>& nodes) {
  uint64_t n = nodes.size();
  for (const Node& node : nodes) n += count_nodes(node.body);
  return n;
}

}  // namespace

void Totals::add(const std::vector<Node>& tree, const trace::RankSet& ranks, bool outer) {
  uint64_t all = std::max<uint64_t>(1, ranks.size()), size = std::max<uint64_t>(1, count_nodes(tree));
  bool same = trace::is_plain(tree);
  uint64_t affordable = nodes_ >= most_nodes ? 0 : (most_nodes - nodes_) / size;
  uint64_t some = std::min(all, same ? most_ranks : std::max(affordable, fewest_ranks));
  uint64_t looked_at = same ? 1 : some;
  complete_ &= same || some == all;
  nodes_ += looked_at * size;
  for (uint64_t k = 0; k < looked_at; ++k) {
    // Shares of the ranks that differ by one at most.
    uint64_t first = k * all / looked_at;
    times_ = (k + 1) * all / looked_at - first;
    moved_ = 0;
    uint32_t rank = ranks.empty() ? 0 : ranks.at(first);
    list(same ? tree : at_rank(tree, ranks, rank), {});
    if (!outer) continue;
    if (!same) bytes_by_rank_[rank] += moved_;
    for (uint64_t r = 0; same && r < some; ++r)
      bytes_by_rank_[ranks.empty() ? 0 : ranks.at(r * all / some)] += moved_;
  }
}

void Totals::list(const std::vector<Node>& nodes, const Executions& x) {
  for (const Node& n : nodes) node(n, x, nodes);
}

void Totals::node(const Node& n, const Executions& x, const std::vector<Node>& siblings) {
  if (n.kind == NodeKind::event) return event(n, x, siblings);
  if (n.kind == NodeKind::group) return list(n.body, x);
  if (n.kind == NodeKind::loop) {
    if (auto body = measure::inside(n, x, siblings)) return list(n.body, *body);
    complete_ = false;
    return;
  }
  auto counts = measure::arm_counts(n, x);
  if (!counts) {
    complete_ = false;
    return;
  }
  Executions arm{.is_box = false, .trips = x.trips};
  for (size_t i = 0; i < n.body.size(); ++i) {
    arm.count = (*counts)[i];
    node(n.body[i], arm, n.body);
  }
}

void Totals::event(const Node& n, const Executions& x, const std::vector<Node>& siblings) {
  Call& call = calls_[n.signature];
  call.calls += x.count * times_;
  if (!call.moves_data()) return;
  for (uint32_t i = 0; i < call.rule.byte_parameters; ++i) {
    auto sum = measure::sum_of(n.parameters[call.rule.bytes + i], x, siblings);
    complete_ &= sum.has_value();
    call.bytes += sum.value_or(0) * times_;
    moved_ += sum.value_or(0);
  }
}

}  // namespace refrain::advise
