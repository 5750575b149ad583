// Rank by rank, at most a few hundred of them: the tree of one rank has the nodes of the merged tree that
// this rank runs, in the same order, so both are walked side by side. Sums come from closed forms
// (trace/sums.hpp); a rank whose values have none is run once, up to a bound.
#include "jobs/node_totals.hpp"

#include <algorithm>

#include "measure/access_rule.hpp"
#include "measure/sums.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::jobs {

namespace {

using Found = std::unordered_map<const trace::Node*, NodeTotal>;

/// Executions and bytes of one rank's tree, by its own nodes.
class RankTotals {
 public:
  explicit RankTotals(const std::vector<measure::AccessRule>& rules) : rules_(rules) {}

  /// False if some number needs a run.
  bool closed(const std::vector<trace::Node>& nodes, const measure::Executions& around) {
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](const trace::Node& node) { return one(node, around, nodes); });
  }

  /// False if the tree is too long.
  bool run(const std::vector<trace::Node>& nodes, uint64_t events) {
    found.clear();
    trace::Expander expander(nodes);
    for (uint64_t n = 0; n < events; ++n) {
      trace::Expander::Event event = expander.next();
      if (event.node == nullptr) return true;
      NodeTotal& total = found[event.node];
      ++total.executions;
      const measure::AccessRule& rule = rules_[event.node->signature];
      if (rule.effect != measure::AccessRule::Effect::data) continue;
      for (uint32_t i = 0; i < rule.byte_parameters; ++i) {
        total.bytes += static_cast<double>(event.parameters[rule.bytes + i]);
      }
    }
    return false;
  }

  Found found;

 private:
  bool one(const trace::Node& node, const measure::Executions& around,
           const std::vector<trace::Node>& siblings) {
    NodeTotal& total = found[&node];
    total.executions = static_cast<double>(around.count);
    switch (node.kind) {
      case trace::NodeKind::event:
        return event(node, around, siblings, total);
      case trace::NodeKind::group:
        return closed(node.body, around);
      case trace::NodeKind::choice:
        return choice(node, around);
      case trace::NodeKind::loop:
        break;
    }
    std::optional<measure::Executions> body = measure::inside(node, around, siblings);
    return body && closed(node.body, *body);
  }

  bool choice(const trace::Node& node, const measure::Executions& around) {
    std::optional<std::vector<uint64_t>> counts = measure::arm_counts(node, around);
    if (!counts) return false;
    measure::Executions arm{.is_box = false, .trips = around.trips};
    for (size_t i = 0; i < node.body.size(); ++i) {
      arm.count = (*counts)[i];
      if (!one(node.body[i], arm, node.body)) return false;
    }
    return true;
  }

  bool event(const trace::Node& node, const measure::Executions& around,
             const std::vector<trace::Node>& siblings, NodeTotal& total) {
    const measure::AccessRule& rule = rules_[node.signature];
    if (rule.effect != measure::AccessRule::Effect::data) return true;
    for (uint32_t i = 0; i < rule.byte_parameters; ++i) {
      std::optional<uint64_t> sum = measure::sum_of(node.parameters[rule.bytes + i], around, siblings);
      if (!sum) return false;
      total.bytes += static_cast<double>(*sum);
    }
    return true;
  }

  const std::vector<measure::AccessRule>& rules_;
};

/// Adds what was found of one rank's tree to the merged one. A node that holds others runs, if that isn't
/// known, as often as its most frequent event.
class SideBySide {
 public:
  SideBySide(const Found& found, uint32_t rank, double weight, TreeTotals& totals)
      : found_(found), rank_(rank), weight_(weight), totals_(totals) {}

  void list(const std::vector<trace::Node>& merged, const trace::RankSet& around,
            const std::vector<trace::Node>& own) {
    size_t at = 0;
    for (const trace::Node& node : merged) {
      const trace::RankSet& ranks = trace::ranks_of(node, around);
      if (!ranks.empty() && !ranks.contains(rank_)) continue;
      if (at == own.size()) return;
      const trace::Node& mine = own[at++];
      NodeTotal& total = totals_.nodes[&node];
      if (auto found = found_.find(&mine); found != found_.end()) {
        total.executions += found->second.executions * weight_;
        total.bytes += found->second.bytes * weight_;
      }
      list(node.body, ranks, mine.body);
    }
  }

 private:
  const Found& found_;
  uint32_t rank_;
  double weight_;
  TreeTotals& totals_;
};

}  // namespace

const NodeTotal& TreeTotals::of(const trace::Node& node) const {
  static const NodeTotal none;
  auto found = nodes.find(&node);
  return found == nodes.end() ? none : found->second;
}

TreeTotals total_nodes(const trace::Trace& trace, const trace::Process& process, const trace::Stream& stream,
                       const TotalsOptions& options) {
  TreeTotals totals;
  std::vector<measure::AccessRule> rules = measure::access_rules(trace.signatures);
  const trace::RankSet& ranks = trace::ranks_of(stream, process);
  uint64_t count = std::max<uint64_t>(1, ranks.size());
  bool same = trace::is_plain(stream.nodes);
  uint64_t looked_at = same ? 1 : std::min(count, options.ranks);
  totals.sampled = !same && looked_at < count;
  for (uint64_t k = 0; k < looked_at; ++k) {
    uint32_t rank = ranks.empty() ? 0 : ranks.at(k * count / looked_at);
    std::vector<trace::Node> own = trace::at_rank(stream.nodes, ranks, rank);
    RankTotals one(rules);
    if (!one.closed(own, {}) && !one.run(own, options.walked_events)) totals.incomplete = true;
    SideBySide(one.found, rank, static_cast<double>(count) / static_cast<double>(looked_at), totals)
        .list(stream.nodes, ranks, own);
  }
  return totals;
}

}  // namespace refrain::jobs
