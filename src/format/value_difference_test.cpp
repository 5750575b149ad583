// Differences give back what they were made of, exactly, and only where that can be had at the price.
#include "trace/value_difference.hpp"

#include <gtest/gtest.h>

#include "format/file.hpp"
#include "format/node_code.hpp"
#include "trace/sample.hpp"

namespace refrain::format {

using namespace trace;

namespace {

using E = RankExpression;
using sample::column;

void expect_exact(const Value& v, const Value& before) {
  auto bytes = written_difference(v, before);
  ASSERT_TRUE(bytes);
  ByteReader in(bytes->bytes());
  EXPECT_TRUE(read_difference(in, before) == v);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.left(), 0u);
}

Value by_rank(std::vector<Number> entries, Number base = 0) {
  return {.form = Form::column, .base = std::move(base), .entries = std::move(entries)};
}

Number line(int64_t slope, int64_t start) {
  return Number(E::rank() * E::constant(slope) + E::constant(start));
}

TEST(ValueDifference, OfListsIsExact) {
  expect_exact(column({5408, 98968, 202888, 378040}), column({4896, 98392, 201864, 377464}));
  expect_exact(column({INT64_MIN, INT64_MAX, 1 << 20}), column({INT64_MAX, INT64_MIN, (1 << 20) - 1}));
  Number table(Column::of({70001, 95, 80009})), other(Column::of({70000, 94, 80008}));
  expect_exact(by_rank({line(2560, 93560), table, 90005}), by_rank({line(2559, 93500), other, 90007}));
  Number lookup(E::lookup(Column::of({70001, 95, 80009}), E::rank() % 3));
  Number moved(E::lookup(Column::of({70000, 94, 80000}), E::rank() % 3));
  expect_exact(by_rank({lookup}, line(2560, 93560)), by_rank({moved}, line(2560, 93561)));
}

TEST(ValueDifference, IsOfValuesThatAreAlike) {
  Value list = column({4896, 98392, 201864}), near = column({4897, 98393, 201865});
  EXPECT_TRUE(written_difference(near, list));
  EXPECT_FALSE(written_difference(Value::constant(1 << 20), Value::constant(1 << 20)));
  EXPECT_FALSE(written_difference(near, column({4896, 98392, 201864, 400000})));
  EXPECT_FALSE(written_difference(near, by_rank({4896, 98392, 201864})));
  Value separable = list, slope = near;
  separable.form = slope.form = Form::separable;
  EXPECT_TRUE(written_difference(slope, separable));
  EXPECT_FALSE(written_difference(near, separable));
  slope.slopes = {8};
  EXPECT_FALSE(written_difference(slope, separable));
  EXPECT_FALSE(
      written_difference(by_rank({Number(E::rank() / 30000)}), by_rank({Number(E::rank() / 40000)})));
  EXPECT_FALSE(written_difference(by_rank({line(1 << 20, 0)}), by_rank({line(1 << 20, 1)})));
}

TEST(ValueDifference, IsNotMadeOfLongLists) {
  Column::Items many{{.first = 1 << 20, .stride = 1 << 20, .count = 5000}};
  Value v{.form = Form::column, .column = std::make_shared<const Column>(many, std::vector<Column::Items>{})};
  EXPECT_FALSE(written_difference(v, v));
}

TEST(ValueDifference, TreesAreReadAsTheyWere) {
  Trace t = sample::side_by_side();
  const std::vector<Node>& nodes = t.processes[0].streams[0].nodes;
  ByteWriter whole, small;
  Closeness close;
  write_nodes(whole, nodes);
  write_nodes(small, nodes, &close);
  EXPECT_TRUE(close.used);
  EXPECT_LT(small.size(), whole.size());
  const std::vector<uint32_t> parameters{t.signatures[0].parameters()};
  ByteReader in(small.bytes());
  std::vector<Node> read = read_nodes(in, parameters);
  ASSERT_TRUE(in.ok()) << in.reason();
  EXPECT_TRUE(read[0].body[0].parameters == nodes[0].body[0].parameters);
}

TEST(ValueDifference, FilesThatHaveAnyAreOfVersionSix) {
  auto version = [](std::span<const uint8_t> file) { return file[4]; };
  Trace t = sample::side_by_side();
  EXPECT_EQ(version(encode(t)), 6);
  EXPECT_EQ(version(encode_raw(t)), 2);
  auto again = decode(encode(t));
  ASSERT_TRUE(again);
  EXPECT_EQ(encode(*again), encode(t));
}

/// The reason why these parameters of one event are refused, those from `marked` on being differences.
std::string verdict(const std::vector<Value>& parameters, size_t marked) {
  ByteWriter out;
  for (int b : {1, 0, 0}) out.u8(static_cast<uint8_t>(b));  // one node, an event, of signature 0
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (i >= marked) out.u8(0x27);
    parameters[i].write(out);
  }
  ByteReader in(out.bytes());
  const std::vector<uint32_t> shape{static_cast<uint32_t>(parameters.size())};
  read_nodes(in, shape);
  return in.ok() ? "accepted" : in.reason();
}

TEST(ValueDifference, BytesThatAreNoneAreRefused) {
  EXPECT_EQ(verdict({column({1, 2, 4}), column({1, 1, 1})}, 1), "accepted");
  EXPECT_EQ(verdict({column({1, 2, 4}), column({1, 1})}, 1), "difference to another kind of value");
  EXPECT_EQ(verdict({column({1, 2, 4}), Value::constant(1)}, 1), "difference to another kind of value");
  EXPECT_EQ(verdict({column({1, 2, 4})}, 0), "unknown form of value");
  std::vector<int64_t> many(1000), ones(1000, 1);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int64_t>(i * i % 997);
  EXPECT_EQ(verdict({column(many), column(ones)}, 1), "difference to another kind of value");
}

}  // namespace
}  // namespace refrain::format
