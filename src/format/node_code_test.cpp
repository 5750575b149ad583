// Trees survive their bytes, stay small, and bytes that are no tree are refused with a reason.
#include "format/node_code.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trace/sample.hpp"

namespace refrain::format {

using namespace trace;

namespace {

using sample::affine;
using sample::block;
using sample::column;
using sample::event;
using sample::loop;
using sample::number;

const std::vector<uint32_t> shapes{0, 1, 2, 3};

std::vector<uint8_t> encoded(const std::vector<Node>& nodes) {
  ByteWriter w;
  write_nodes(w, nodes);
  return w.take();
}

/// The reason why the tree is refused, or "accepted".
std::string verdict(const std::vector<Node>& nodes) {
  std::vector<uint8_t> bytes = encoded(nodes);
  ByteReader r(bytes);
  read_nodes(r, shapes);
  return r.ok() ? "accepted" : r.reason();
}

Value copy_of(uint32_t sibling, uint32_t parameter) {
  return {.form = Form::copy, .parameter = parameter, .sibling = sibling};
}

TEST(NodeCode, RoundTripsEverySample) {
  for (const Trace& t : {sample::copy(), sample::everything()}) {
    std::vector<uint32_t> parameters;
    for (const Signature& s : t.signatures) parameters.push_back(s.parameters());
    for (const Process& p : t.processes)
      for (const Stream& s : p.streams) {
        std::vector<uint8_t> bytes = encoded(s.nodes);
        ByteReader r(bytes);
        std::vector<Node> nodes = read_nodes(r, parameters);
        ASSERT_TRUE(r.ok()) << r.reason();
        EXPECT_EQ(r.left(), 0u);
        EXPECT_EQ(encoded(nodes), bytes);
      }
  }
}

TEST(NodeCode, RegularTreesAreSmall) {
  EXPECT_EQ(encoded({event(3, {number(1), number(2), number(3)})}).size(), 1u + 1 + 1 + 3);
  // list, head, count, list, head, signature, and per parameter: head, base, slope
  EXPECT_EQ(encoded({loop(number(100), {event(1, {affine(0, {1})})})}).size(), 1u + 2 + 1 + 2 + 3);
}

TEST(NodeCode, ChecksSignatures) {
  EXPECT_EQ(verdict({event(1, {number(1)})}), "accepted");
  EXPECT_EQ(verdict({event(4, {number(1)})}), "unknown signature");
}

TEST(NodeCode, ChecksLoopDepthsOfValues) {
  EXPECT_EQ(verdict({event(1, {affine(0, {1})})}), "more slopes than loops");
  EXPECT_EQ(verdict({loop(affine(1, {1}), {event(0, {})})}), "more slopes than loops");
  Value separable = column({1, 2, 4});
  separable.form = Form::separable;
  separable.depth = 1;
  EXPECT_EQ(verdict({loop(number(3), {event(1, {separable})})}), "value depends on a loop that isn't there");
  separable.depth = 0;
  EXPECT_EQ(verdict({loop(number(3), {event(1, {separable})})}), "accepted");
  Value power{.form = Form::power, .step = 1, .depth = 1, .ratio = 2};
  EXPECT_EQ(verdict({loop(number(3), {event(1, {power})})}), "value depends on a loop that isn't there");
  power.depth = 0;
  EXPECT_EQ(verdict({loop(number(3), {event(1, {power})})}), "accepted");
  power.ratio = 1;
  EXPECT_EQ(verdict({loop(number(3), {event(1, {power})})}), "power of a number out of range");
}

TEST(NodeCode, ChecksReferencesBetweenValues) {
  Value running{.form = Form::running, .parameter = 1};
  EXPECT_EQ(verdict({event(2, {running, number(3)})}), "accepted");
  running.parameter = 2;
  EXPECT_EQ(verdict({event(2, {running, number(3)})}), "running value of an unknown parameter");
  running.parameter = 0;
  EXPECT_EQ(verdict({loop(running, {event(0, {})})}), "running value of an unknown parameter");
  EXPECT_EQ(verdict({event(1, {copy_of(1, 0)}), event(1, {number(3)})}), "accepted");
  EXPECT_EQ(verdict({event(1, {copy_of(2, 0)}), event(1, {number(3)})}), "copy of an unknown value");
  EXPECT_EQ(verdict({event(1, {copy_of(1, 1)}), event(1, {number(3)})}), "copy of an unknown value");
  EXPECT_EQ(verdict({event(1, {copy_of(1, 0)}), loop(number(1), {event(0, {})})}),
            "copy of an unknown value");
  EXPECT_EQ(verdict({event(1, {copy_of(1, 0)}), event(1, {copy_of(0, 0)})}), "copy of an unknown value");
}

TEST(NodeCode, ChecksChoicesAndGroups) {
  Node group = block(NodeKind::group, {}, {event(0, {})});
  EXPECT_EQ(verdict({group}), "group outside a choice");
  EXPECT_EQ(verdict({block(NodeKind::choice, number(0), {group})}), "accepted");
  EXPECT_EQ(verdict({block(NodeKind::choice, number(1), {group})}), "choice without the arm it selects");
  EXPECT_EQ(verdict({block(NodeKind::choice, number(0), {event(1, {copy_of(0, 0)})})}),
            "copy between the arms of a choice");
  EXPECT_EQ(verdict({block(NodeKind::choice, number(0), {})}), "empty body");
  EXPECT_EQ(verdict({loop(number(5), {})}), "empty body");
}

TEST(NodeCode, BoundsTripsAndDepth) {
  EXPECT_EQ(verdict({loop(number(int64_t{1} << 60), {event(0, {})})}), "accepted");
  EXPECT_EQ(verdict({loop(number((int64_t{1} << 60) + 1), {event(0, {})})}), "too many iterations");
  EXPECT_EQ(verdict({loop(number(-1), {event(0, {})})}), "too many iterations");
  std::vector<Node> nest{event(0, {})};
  for (size_t d = 0; d < Limits::depth; ++d) nest = {loop(number(1), nest)};
  EXPECT_EQ(verdict(nest), "accepted");
  nest = {loop(number(1), nest)};
  EXPECT_EQ(verdict(nest), "loops nested too deeply");
}

TEST(NodeCode, RefusesTruncationAndSurvivesDamage) {
  Trace t = sample::everything();
  std::vector<uint32_t> parameters;
  for (const Signature& s : t.signatures) parameters.push_back(s.parameters());
  std::vector<uint8_t> bytes = encoded(t.processes[1].streams[0].nodes);
  for (size_t n = 0; n < bytes.size(); ++n) {
    ByteReader r(std::span<const uint8_t>(bytes).first(n));
    EXPECT_TRUE(read_nodes(r, parameters).empty());
    EXPECT_FALSE(r.ok());
  }
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> damaged = bytes;
    for (int hits = 0; hits < 3; ++hits) damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
    ByteReader r(damaged);
    read_nodes(r, parameters);
  }
}

}  // namespace
}  // namespace refrain::format
