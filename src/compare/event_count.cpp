#include "compare/event_count.hpp"

#include "measure/sums.hpp"

namespace refrain::compare {
namespace {

using measure::Executions;
using trace::Node;
using trace::NodeKind;

std::optional<uint64_t> count_list(const std::vector<Node>& nodes, const Executions& x);

std::optional<uint64_t> sum(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (!a || !b || *a > UINT64_MAX - *b) return {};
  return *a + *b;
}

std::optional<uint64_t> count_node(const Node& n, const Executions& x, const std::vector<Node>& siblings) {
  if (x.count == UINT64_MAX) return {};
  if (n.kind == NodeKind::event) return x.count;
  if (n.kind == NodeKind::group) return count_list(n.body, x);
  if (n.kind == NodeKind::loop) {
    auto body = inside(n, x, siblings);
    return body ? count_list(n.body, *body) : std::nullopt;
  }
  auto counts = arm_counts(n, x);
  if (!counts) return {};
  Executions arm{.is_box = false, .trips = x.trips};
  std::optional<uint64_t> total = 0;
  for (size_t i = 0; i < n.body.size(); ++i) {
    arm.count = (*counts)[i];
    total = sum(total, count_node(n.body[i], arm, n.body));
  }
  return total;
}

std::optional<uint64_t> count_list(const std::vector<Node>& nodes, const Executions& x) {
  std::optional<uint64_t> total = 0;
  for (const Node& node : nodes) total = sum(total, count_node(node, x, nodes));
  return total;
}

}  // namespace

std::optional<uint64_t> count_events(const std::vector<Node>& nodes) { return count_list(nodes, {}); }
std::optional<uint64_t> count_events(const Node& node) { return count_node(node, {}, {}); }

}  // namespace refrain::compare
