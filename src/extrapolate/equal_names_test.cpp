#include "extrapolate/equal_names.hpp"

#include <gtest/gtest.h>

namespace refrain::extrapolate {
namespace {

using trace::Column;
using trace::Number;
using trace::Value;

TEST(EqualNames, are_those_that_come_first) {
  trace::Trace trace;
  for (const char* name : {"a", "b", "a", "c", "b"}) {
    std::vector<int64_t> fields;
    trace.templates.push_back(trace::Template::parse(name, fields));
  }
  trace.signatures = {trace::Signature{.function = "open", .layer = "posix"}};
  trace.signatures[0].operands = {{.kind = trace::OperandKind::text}, {.kind = trace::OperandKind::integer}};
  auto event = [](Value name) {
    trace::Node node;
    node.parameters = {std::move(name), Value::constant(4)};
    return node;
  };
  trace::Process process{.ranks = trace::RankSet::range(0, 3)};
  process.streams.resize(1);
  Value stepping{.base = 2};
  stepping.slopes = {Number(1)};
  process.streams[0].nodes = {event(Value::constant(4)),
                              event(Value{.base = Number(Column::of(std::vector<int64_t>{0, 2, 3}))}),
                              event(stepping)};
  trace.processes = {process};
  refer_to_first_names(trace);
  const auto& nodes = trace.processes[0].streams[0].nodes;
  EXPECT_EQ(nodes[0].parameters[0], Value::constant(1));
  EXPECT_EQ(nodes[0].parameters[1], Value::constant(4));  // no name
  EXPECT_EQ(nodes[1].parameters[0].base.table()->expand(), (std::vector<int64_t>{0, 0, 3}));
  EXPECT_EQ(nodes[2].parameters[0], stepping);
}

}  // namespace
}  // namespace refrain::extrapolate
