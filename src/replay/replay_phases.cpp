#include "replay/replay_phases.hpp"

#include <fmt/format.h>

#include "trace/at_rank.hpp"

namespace refrain::replay {
namespace {

using trace::Node;
using trace::NodeKind;

constexpr size_t most_phases = 256;

const Node& first_event(const Node& node) {
  return node.kind == NodeKind::event || node.body.empty() ? node : first_event(node.body.front());
}
const Node& last_event(const Node& node) {
  return node.kind == NodeKind::event || node.body.empty() ? node : last_event(node.body.back());
}

std::string name_of(const trace::Trace& trace, const Node& first, const Node& last) {
  auto function = [&](const Node& node) -> std::string {
    return node.kind == NodeKind::event ? trace.signatures[node.signature].function : "nothing";
  };
  std::string begin = function(first_event(first)), end = function(last_event(last));
  std::string text = begin == end ? begin : begin + " … " + end;
  if (&first != &last || first.kind != NodeKind::loop) return text;
  if (!first.count.is_constant()) return "loop: " + text;
  return fmt::format("{} times: {}", first.count.constant_value(), text);
}

}  // namespace

Phases divide(const trace::Trace& trace, const trace::Stream& whole, const trace::RankSet& ranks,
              uint32_t rank) {
  Phases phases;
  const auto& nodes = whole.nodes;
  for (size_t i = 0; i < nodes.size();) {
    size_t end = i + 1;
    if (nodes[i].kind == NodeKind::event)
      while (end < nodes.size() && nodes[end].kind == NodeKind::event) ++end;
    if (phases.names.size() + 1 == most_phases) {
      end = nodes.size();
      phases.names.push_back("all that follows");
    } else {
      phases.names.push_back(name_of(trace, nodes[i], nodes[end - 1]));
    }
    for (; i < end; ++i)
      if (!trace::at_rank(std::vector<Node>{nodes[i]}, ranks, rank).empty())
        phases.of_node.push_back(phases.names.size() - 1);
  }
  return phases;
}

}  // namespace refrain::replay
