#include "plan/slice.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trace/expand.hpp"

namespace refrain::plan {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Value;

constexpr uint32_t signatures = 4;

/// Trees of loops, choices and events whose values are counted, computed from indices, or copied.
class RandomTree {
 public:
  explicit RandomTree(uint32_t seed) : random_(seed) {}

  std::vector<Node> list(int depth) {
    std::vector<Node> nodes;
    for (uint32_t n = 1 + pick(4); n > 0; --n) nodes.push_back(node(depth));
    std::vector<uint32_t> events;
    for (uint32_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].kind == NodeKind::event) events.push_back(i);
    for (uint32_t i : events)
      if (uint32_t other = events[pick(static_cast<uint32_t>(events.size()))]; other != i && pick(3) == 0)
        nodes[i].parameters.push_back({.form = Form::copy, .base = 5, .parameter = 0, .sibling = other});
    return nodes;
  }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  Node node(int depth) {
    uint32_t kind = depth == 0 ? 0 : pick(4);
    if (kind < 2) {
      Node event{.signature = pick(signatures)};
      event.parameters = {{.form = Form::counter, .base = pick(9), .step = 1 + pick(3)}};
      return event;
    }
    Node out{.kind = kind == 2 ? NodeKind::loop : NodeKind::choice};
    if (kind == 2) {
      out.count = Value::constant(pick(4));
      out.body = list(depth - 1);
      return out;
    }
    for (int arm = 0; arm < 2; ++arm) {
      out.body.push_back({.kind = NodeKind::group});
      out.body.back().body = list(depth - 1);
    }
    out.count = Value::constant(pick(2));
    return out;
  }

  std::mt19937 random_;
};

struct Call {
  uint32_t signature;
  std::vector<int64_t> parameters;
  bool operator==(const Call&) const = default;
};

std::vector<Call> calls(const std::vector<Node>& nodes, const std::vector<bool>& matters) {
  std::vector<Call> out;
  trace::Expander expander(nodes);
  for (auto e = expander.next(); e.node != nullptr; e = expander.next())
    if (matters[e.node->signature])
      out.push_back({e.node->signature, {e.parameters.begin(), e.parameters.end()}});
  EXPECT_FALSE(expander.damaged());
  return out;
}

size_t size_of(const std::vector<Node>& nodes) {
  size_t n = nodes.size();
  for (const Node& node : nodes) n += size_of(node.body);
  return n;
}

TEST(Slice, RunsLikeTheWhole) {
  size_t whole = 0, part = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    std::vector<Node> nodes = RandomTree(seed).list(3);
    std::vector<bool> matters(signatures);
    matters[seed % signatures] = true;
    std::vector<Node> sliced = slice(nodes, matters);
    ASSERT_EQ(calls(nodes, matters), calls(sliced, matters)) << "seed " << seed;
    whole += size_of(nodes);
    part += size_of(sliced);
  }
  EXPECT_LT(part, whole * 3 / 4);
}

TEST(Slice, LeavesOutWhatHasNone) {
  Node loop{.kind = NodeKind::loop, .count = Value::constant(1000)};
  loop.body = {{.signature = 1}};
  EXPECT_TRUE(slice({loop}, {true, false}).empty());
}

TEST(Slice, ALoopKeepsACall) {
  Node rare{.kind = NodeKind::loop, .count = {.form = Form::counter, .base = 0, .step = 0}};
  rare.body = {{.signature = 0}};
  Node loop{.kind = NodeKind::loop, .count = Value::constant(1000)};
  loop.body = {{.signature = 1}, rare, {.signature = 1}};
  std::vector<Node> sliced = slice({loop}, {true, false});
  ASSERT_EQ(sliced.size(), 1u);
  EXPECT_EQ(sliced[0].body.size(), 2u);
}

}  // namespace
}  // namespace refrain::plan
