#include "trace/expand.hpp"

#include <gtest/gtest.h>

namespace refrain::trace {
namespace {

using Values = std::vector<int64_t>;

Node event(uint32_t signature, std::vector<Value> parameters) {
  Node n;
  n.signature = signature;
  n.parameters = std::move(parameters);
  return n;
}

Node block(NodeKind kind, Value count, std::vector<Node> body) {
  Node n;
  n.kind = kind;
  n.count = std::move(count);
  n.body = std::move(body);
  return n;
}

Node loop(Value count, std::vector<Node> body) {
  return block(NodeKind::loop, std::move(count), std::move(body));
}

Value affine(int64_t base, const Values& slopes) {
  return {.base = base, .slopes = {slopes.begin(), slopes.end()}};
}

Value table(Values values) {
  return {.form = Form::column, .column = std::make_shared<Column>(Column::of(values))};
}

/// "signature:value,value " per event; ends in "!" if the tree is damaged.
std::string run(const std::vector<Node>& nodes, size_t limit = 100) {
  std::string text;
  Expander e(nodes);
  for (auto ev = e.next(); ev.node && limit-- > 0; ev = e.next()) {
    text += std::to_string(ev.node->signature) + ":";
    for (size_t i = 0; i < ev.parameters.size(); ++i)
      text += (i ? "," : "") + std::to_string(ev.parameters[i]);
    text += " ";
  }
  return text + (e.damaged() ? "!" : "");
}

TEST(Expand, AffineOverNestedLoops) {
  std::vector<Node> t{loop(Value::constant(2), {event(1, {affine(5, {10})}),
                                                loop(affine(1, {1}), {event(2, {affine(0, {100, 1})})})})};
  EXPECT_EQ(run(t), "1:5 2:0 1:15 2:100 2:101 ");
}

TEST(Expand, CounterAndRunning) {
  Value counter{.form = Form::counter, .base = 7, .step = 2};
  Value running{.form = Form::running, .base = 100, .step = 1, .parameter = 1};
  Value backwards{.form = Form::running, .base = 9, .step = -1, .parameter = 1};
  std::vector<Node> t{loop(Value::constant(3), {event(0, {running, table({4, 8, 16}), backwards, counter})})};
  EXPECT_EQ(run(t), "0:100,4,9,7 0:104,8,5,9 0:112,16,-3,11 ");
}

TEST(Expand, CopiesOfEarlierAndLaterSiblings) {
  Value later{.form = Form::copy, .base = 1, .parameter = 1, .sibling = 1};
  Value earlier{.form = Form::copy, .base = -1, .parameter = 1, .sibling = 1};
  Value running{.form = Form::running, .base = 50, .step = 1, .parameter = 1};
  std::vector<Node> t{
      loop(Value::constant(2), {event(0, {later}), event(1, {running, table({3, 5})}), event(2, {earlier})})};
  EXPECT_EQ(run(t), "0:4 1:50,3 2:2 0:6 1:53,5 2:4 ");
}

TEST(Expand, CopiesWithinOneEvent) {
  Value second{.form = Form::copy, .base = 0, .parameter = 1, .sibling = 0};
  Value running{.form = Form::running, .base = 0, .step = 1, .parameter = 0};
  std::vector<Node> t{loop(Value::constant(3), {event(0, {second, table({4, 9, 25}), second, running})})};
  EXPECT_EQ(run(t), "0:4,4,4,0 0:9,9,9,4 0:25,25,25,13 ");
}

TEST(Expand, SeparableAndAnySlope) {
  Value v{.form = Form::separable,
          .base = 1,
          .slopes = {100, Value::any_slope},
          .depth = 1,
          .column = std::make_shared<Column>(Column::of({0, 30, 7}))};
  std::vector<Node> t{loop(Value::constant(2), {loop(Value::constant(3), {event(0, {v})})})};
  EXPECT_EQ(run(t), "0:1 0:31 0:8 0:101 0:131 0:108 ");
}

TEST(Expand, Powers) {
  Value sizes{.form = Form::power, .base = -1, .step = 16, .slopes = {100}, .depth = 1, .ratio = 2};
  Value turns{.form = Form::power, .step = 1, .ratio = 3};
  EXPECT_EQ(run({loop(Value::constant(2), {loop(turns, {event(1, {sizes})})})}), "1:15 1:115 1:131 1:163 ");
}

TEST(Expand, PowersThatDoNotFitIn64BitsAreDamage) {
  Value large{.form = Form::power, .step = -1, .ratio = 2};
  EXPECT_TRUE(run({loop(Value::constant(64), {event(1, {large})})}).ends_with("1:-9223372036854775808 "));
  EXPECT_TRUE(run({loop(Value::constant(65), {event(1, {large})})}).ends_with("1:-9223372036854775808 !"));
  Value none{.form = Form::power, .base = 5, .step = 0, .ratio = 2};
  EXPECT_TRUE(run({loop(Value::constant(99), {event(1, {none})})}).ends_with("1:5 1:5 "));
}

TEST(Expand, ChoicesSelectArmsAndGroups) {
  Node group = block(NodeKind::group, {}, {event(1, {}), event(2, {table({9, 8})})});
  std::vector<Node> t{loop(Value::constant(3),
                           {block(NodeKind::choice, table({1, 0, 1}), {event(0, {affine(0, {1})}), group})})};
  EXPECT_EQ(run(t), "1: 2:9 0:1 1: 2:8 ");
}

TEST(Expand, ReportsIndices) {
  std::vector<Node> t{loop(Value::constant(2), {loop(Value::constant(2), {event(0, {})})})};
  Expander e(t);
  for (int i = 0; i < 3; ++i) e.next();
  ASSERT_EQ(e.indices().size(), 2u);
  EXPECT_EQ(e.indices()[0], 1);
  EXPECT_EQ(e.indices()[1], 0);
}

TEST(Expand, LoopsThatFollowTheirIndexCanLeap) {
  std::vector<Node> t{
      loop(Value::constant(100), {loop(Value::constant(2), {event(0, {affine(0, {10, 1})})})}), event(1, {})};
  Expander e(t);
  for (int i = 0; i < 3; ++i) e.next();
  EXPECT_EQ(e.trips(), (std::vector<int64_t>{100, 2}));
  EXPECT_EQ(e.loop(0), &t[0]);
  EXPECT_EQ(e.loop(2), nullptr);
  ASSERT_TRUE(e.may_leap(0));
  EXPECT_FALSE(e.may_leap(2));
  e.leap(0, 97);
  EXPECT_EQ(e.next().parameters[0], 981);
  EXPECT_EQ(e.next().parameters[0], 990);
  EXPECT_EQ(e.next().parameters[0], 991);
  EXPECT_EQ(e.next().node->signature, 1U);
  std::vector<Node> counted{loop(Value::constant(100), {event(0, {table({1, 2, 3})})})};
  Expander c(counted);
  c.next();
  EXPECT_FALSE(c.may_leap(0));
}

TEST(Expand, DamagedTreesEndWithoutHarm) {
  Value wild_copy{.form = Form::copy, .parameter = 3, .sibling = 9};
  Value own_copy{.form = Form::copy, .parameter = 0, .sibling = 0};
  Value no_table{.form = Form::separable, .depth = 4, .column = std::make_shared<Column>()};
  EXPECT_EQ(run({loop(Value::constant(5), {event(0, {table({1, 2})})})}), "0:1 0:2 !");
  EXPECT_EQ(run({event(0, {wild_copy})}), "!");
  EXPECT_EQ(run({event(0, {own_copy})}), "!");
  EXPECT_EQ(run({event(0, {no_table})}), "!");
  EXPECT_EQ(run({event(0, {affine(0, {1, 2})})}), "!");
  EXPECT_EQ(run({loop(Value::constant(-1), {event(0, {})})}), "!");
  EXPECT_EQ(run({block(NodeKind::choice, Value::constant(1), {event(0, {})})}), "!");
  EXPECT_EQ(run({loop(Value::constant(1), {})}), "!");
  Value no_column{.form = Form::column};
  EXPECT_EQ(run({loop(no_column, {event(0, {})})}), "!");
}

TEST(Expand, LoopsWithoutEventsDontTurnForEver) {
  Node empty = loop(Value::constant(0), {event(0, {})});
  EXPECT_EQ(run({loop(Value::constant(int64_t{1} << 59), {empty})}), "!");
}

}  // namespace
}  // namespace refrain::trace
