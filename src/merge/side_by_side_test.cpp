// Joining must not change a single call of any process, whatever forms its references have.
#include "merge/side_by_side.hpp"

#include <gtest/gtest.h>

#include "format/consistency.hpp"
#include "format/file.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/sample.hpp"
#include "trace/text.hpp"

namespace refrain::merge {
namespace {

using trace::Form;
using trace::Trace;
using trace::Value;
using trace::sample::affine;
using trace::sample::column;
using trace::sample::event;
using trace::sample::loop;
using trace::sample::number;

/// The calls of one process, of all its ranks, as text.
std::vector<std::string> calls(const Trace& t, const trace::Process& process) {
  std::vector<std::string> lines;
  std::vector<uint32_t> ranks = process.ranks.expand();
  if (ranks.empty()) ranks.push_back(0);
  for (uint32_t rank : ranks)
    for (const trace::Stream& stream : at_rank(process, rank).streams) {
      trace::Expander expander(stream.nodes);
      for (auto e = expander.next(); e.node; e = expander.next())
        lines.push_back(event_text(t, t.signatures[e.node->signature], e.parameters));
      EXPECT_FALSE(expander.damaged());
    }
  return lines;
}

void expect_calls_kept(const std::vector<Trace>& parts) {
  Trace whole = side_by_side(parts);
  EXPECT_TRUE(format::check(whole));
  size_t processes = 0;
  for (const Trace& part : parts)
    for (const trace::Process& before : part.processes) {
      ++processes;
      bool found = false;
      for (const trace::Process& after : whole.processes) {
        if (after.pid != before.pid) continue;
        found = true;
        EXPECT_EQ(calls(whole, after), calls(part, before));
      }
      EXPECT_TRUE(found) << before.pid;
    }
  EXPECT_EQ(whole.processes.size(), processes);
  Trace again = *format::decode(format::encode(whole));
  EXPECT_EQ(format::encode(again), format::encode(whole));
}

/// A trace of one process whose strings are referred to by `index` in a loop of six.
Trace with_index(uint32_t pid, Value index, std::vector<std::string> names) {
  Trace t = trace::sample::copy();
  t.processes[0].pid = pid;
  t.processes[0].start_ns = 1000 - pid;
  t.templates.clear();
  std::vector<int64_t> none;
  for (const std::string& name : names) t.templates.push_back(trace::Template::parse(name, none));
  Value copied{.form = Form::copy, .parameter = 0, .sibling = 0};
  t.processes[0].streams[0].nodes = {loop(number(6), {event(6, {index}), event(6, {copied})}),
                                     event(0, {number(1), number(0)})};
  return t;
}

TEST(SideBySide, SharesTables) {
  Trace a = trace::sample::copy(), b = trace::sample::copy();
  b.processes[0].pid = 99;
  expect_calls_kept({a, b});
  Trace whole = side_by_side({a, b});
  EXPECT_EQ(whole.templates, a.templates);
  EXPECT_EQ(whole.signatures.size(), 7u) << "only those in use";
  EXPECT_EQ(whole.command, a.command);
  EXPECT_EQ(whole.layers, a.layers);
}

TEST(SideBySide, KeepsEverything) {
  Trace everything = trace::sample::everything(), other = trace::sample::everything();
  for (trace::Process& p : other.processes) p.pid += 100;
  expect_calls_kept({everything, other});
  EXPECT_EQ(side_by_side({everything, other}).notes.size(), 1u);
  expect_calls_kept({});
}

TEST(SideBySide, OrdersProcessesByStartThenPid) {
  Trace late = with_index(1, number(0), {"x", "y"}), early = with_index(5, number(0), {"x", "y"});
  Trace tie = with_index(4, number(0), {"x", "y"});
  tie.processes[0].start_ns = early.processes[0].start_ns;
  Trace whole = side_by_side({late, early, tie});
  EXPECT_EQ(whole.processes[0].pid, 4u);
  EXPECT_EQ(whole.processes[1].pid, 5u);
  EXPECT_EQ(whole.processes[2].pid, 1u);
}

TEST(SideBySide, OrderOfPartsDoesNotMatter) {
  Trace a = with_index(1, number(1), {"p", "q"}), b = with_index(2, number(0), {"q", "r"});
  EXPECT_EQ(format::encode(side_by_side({a, b})), format::encode(side_by_side({b, a})));
}

TEST(SideBySide, RewritesVaryingReferencesExactly) {
  Value separable = column({0, 2, 1, 2, 0, 1});
  separable.form = Form::separable, separable.base = 1, separable.depth = 0;
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g"};
  std::vector<Trace> parts;
  uint32_t pid = 10;
  for (const Value& index : {column({2, 0, 1, 1, 0, 3}), column({0, 0, 1, 1, 2, 2}), separable,
                             affine(1, {1}), Value{.form = Form::counter, .base = 5, .step = -1}, number(3)})
    parts.push_back(with_index(pid++, index, names));
  expect_calls_kept(parts);
  std::reverse(parts.begin(), parts.end());
  expect_calls_kept(parts);
}

/// A name that follows another one at a distance moves once, with it.
TEST(SideBySide, ReferencesThatFollowOthersMoveWithThem) {
  std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h"};
  Trace here = with_index(1, column({0, 5, 2, 4, 1, 3}), names);
  Trace there = with_index(2, column({0, 5, 2, 4, 1, 3}), {"h", "g", "f", "e", "d", "c", "b", "a"});
  for (Trace* part : {&here, &there}) {
    std::vector<trace::Node>& body = part->processes[0].streams[0].nodes[0].body;
    body[1].parameters[0].base = 2;
  }
  expect_calls_kept({here, there});
}

/// Tables that are taken along whole are looked for among the others, wherever they begin there.
TEST(SideBySide, BlocksAreThereOnce) {
  const Value counter{.form = Form::counter, .base = 0, .step = 1};
  const std::vector<std::string> six = {"a", "b", "c", "d", "e", "f"};
  Trace first = with_index(9, number(0), {"x", "y"});
  Trace more = with_index(8, counter, {"u", "a", "b", "c", "d", "e", "f", "v"});
  Trace one = with_index(7, counter, six), other = with_index(6, counter, six);
  expect_calls_kept({first, more, one, other});
  EXPECT_EQ(side_by_side({first, more, one, other}).templates.size(), 10u);
}

/// A reference that steps with two loops is rewritten name by name too.
TEST(SideBySide, ReferencesOverTwoLoopsAreRewritten) {
  std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
  Trace here = with_index(2, number(0), names), there = with_index(1, number(0), {"z", "y"});
  std::vector<trace::Node>& nodes = here.processes[0].streams[0].nodes;
  nodes = {loop(number(2), {loop(number(3), {event(6, {affine(0, {3, 1})})})})};
  expect_calls_kept({here, there});
  EXPECT_EQ(side_by_side({here, there}).templates.size(), 8u) << "g is not used";
}

/// In a choice, a call isn't made in every iteration.
TEST(SideBySide, ReferencesOverTwoLoopsInAChoiceAreKept) {
  std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
  Trace here = with_index(2, number(0), names), there = with_index(1, number(0), {"z", "y"});
  trace::Node choice{.kind = trace::NodeKind::choice, .count = column({1, 0, 0, 1, 1, 0})};
  choice.body = {event(6, {affine(0, {3, 1})}), event(6, {number(6)})};
  here.processes[0].streams[0].nodes = {loop(number(2), {loop(number(3), {choice})})};
  expect_calls_kept({there, here});
}

TEST(SideBySide, RepeatedColumnsKeepTheirStructure) {
  Value repeated{.form = Form::column};
  repeated.column = std::make_shared<const trace::Column>(trace::Column::Items{{0, 0, 3, 1}},
                                                          std::vector<trace::Column::Items>{{{0, 1, 2, 0}}});
  Trace first = with_index(20, number(0), {"w", "x"}), second = with_index(10, repeated, {"y", "z"});
  Trace whole = side_by_side({first, second});
  const Value& moved = whole.processes[1].streams[0].nodes[0].body[0].parameters[0];
  ASSERT_EQ(moved.column->items().size(), 1u);
  EXPECT_EQ(moved.column->expand(), (std::vector<int64_t>{2, 3, 2, 3, 2, 3}));
  expect_calls_kept({first, second});
}

/// A process that uses its lists 0 and 1 in turns; signature 9 takes a list by number.
Trace with_lists(uint32_t pid, std::vector<trace::Column> lists) {
  Trace t = with_index(pid, number(0), {"a", "b"});
  t.lists = std::move(lists);
  t.processes[0].streams[0].nodes = {loop(number(5), {event(9, {number(0), column({0, 1, 0, 1, 1})})}),
                                     event(9, {number(0), number(0)})};
  return t;
}

TEST(SideBySide, ListsAreSharedToo) {
  trace::Column x = trace::Column::of({1, 5, 2}), y = trace::Column::of({9, 9}), z = trace::Column::of({3});
  Trace a = with_lists(3, {x, y}), b = with_lists(2, {y, x}), c = with_lists(1, {x, z});
  expect_calls_kept({a, b, c});
  Trace whole = side_by_side({a, b, c});
  ASSERT_EQ(whole.lists.size(), 3u);
  EXPECT_TRUE(whole.lists[0].same_values(x));
  EXPECT_TRUE(whole.lists[2].same_values(z));
}

}  // namespace
}  // namespace refrain::merge
