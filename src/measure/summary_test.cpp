// Totals must not depend on how they were found: closed forms and walking agree on every tree.
#include "measure/summary.hpp"

#include <gtest/gtest.h>

#include <random>

#include "measure/sums.hpp"
#include "trace/expand.hpp"
#include "trace/sample.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

using sample::affine;
using sample::column;
using sample::event;
using sample::loop;
using sample::number;

const FunctionTotals* find(const Totals& totals, const std::string& function) {
  for (const FunctionTotals& f : totals.functions)
    if (f.function == function) return &f;
  return nullptr;
}

void expect_equal(const Totals& a, const Totals& b) {
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.bytes_read, b.bytes_read);
  EXPECT_EQ(a.bytes_written, b.bytes_written);
  EXPECT_EQ(a.time_ns, b.time_ns);
  ASSERT_EQ(a.functions.size(), b.functions.size());
  for (size_t i = 0; i < a.functions.size(); ++i) {
    EXPECT_EQ(a.functions[i].function, b.functions[i].function);
    EXPECT_EQ(a.functions[i].calls, b.functions[i].calls);
    EXPECT_EQ(a.functions[i].bytes_written, b.functions[i].bytes_written);
  }
}

TEST(Summary, OfACopy) {
  Summary s = summarize(sample::copy());
  EXPECT_EQ(s.outer.events, 2u + 16 + 10 + 55 + 10 + 1);
  EXPECT_EQ(s.outer.bytes_read, 8u * 131072);
  EXPECT_EQ(s.outer.bytes_written, 8u * 131072 + 55 * 65536);
  EXPECT_EQ(find(s.outer, "pwrite")->calls, 55u);
  EXPECT_EQ(find(s.outer, "pwrite")->time_ns, 55u * 56 / 2);
  EXPECT_EQ(find(s.outer, "stat")->failed, 1u);
  EXPECT_EQ(s.files.size(), 12u);
  EXPECT_EQ(s.files.back(), "out/part_00009.dat");
  EXPECT_TRUE(s.complete && s.files_complete && !s.damaged);
  EXPECT_EQ(s.threads, 1u);
  EXPECT_EQ(s.processes[0].ending, Ending::exited);
}

TEST(Summary, ClosedFormsAgreeWithWalkingOnTheSamples) {
  for (const Trace& t : {sample::copy(), sample::everything(), sample::powers()}) {
    Summary closed = summarize(t), walked = summarize(t, {.closed_forms = false});
    expect_equal(closed.outer, walked.outer);
    EXPECT_EQ(closed.files, walked.files);
    ASSERT_EQ(closed.layers.size(), walked.layers.size());
    for (size_t i = 0; i < closed.layers.size(); ++i)
      expect_equal(closed.layers[i].totals, walked.layers[i].totals);
  }
}

TEST(Summary, LayerStreamsIncludeTheirPrefix) {
  Summary s = summarize(sample::everything());
  ASSERT_EQ(s.layers.size(), 1u);
  EXPECT_EQ(s.layers[0].layer, "posix");
  EXPECT_EQ(s.layers[0].totals.events, 3u * 16);
  EXPECT_EQ(s.processes[1].loss.total(), 10u);
  EXPECT_EQ(s.processes[1].threads, 3u * 16 + 2) << "of all ranks; thread 3 exists on two of them";
}

TEST(Summary, HugeLoopsCostNothing) {
  Trace t = sample::copy();
  t.processes[0].streams[0].nodes = {loop(
      number(1'000'000'000), {loop(number(1000), {event(1, {number(0), number(10), affine(0, {0, 1})})})})};
  Summary s = summarize(t);
  EXPECT_EQ(s.outer.events, 1'000'000'000'000u);
  EXPECT_EQ(s.outer.bytes_read, 1'000'000'000ull * 499'500);
  EXPECT_TRUE(s.complete);
}

TEST(Summary, SaysWhenItGaveUp) {
  Trace t = sample::copy();
  t.processes[0].streams[0].nodes = {
      loop(number(1000), {loop(affine(0, {1}), {event(1, {number(0), number(10), affine(0, {1})})})})};
  EXPECT_TRUE(summarize(t).complete);
  EXPECT_FALSE(summarize(t, {.walked_events = 1000}).complete);
  EXPECT_FALSE(summarize(sample::copy(), {.files = 3}).files_complete);
  Trace damaged = sample::copy();
  damaged.processes[0].streams[0].nodes = {
      loop(number(3), {event(1, {number(0), number(1), column({1, 2})})})};
  EXPECT_TRUE(summarize(damaged).damaged);
}

TEST(Summary, LoopsWithoutEventsCountAsWork) {
  Trace t = sample::copy();
  Node idle = loop(number(2000), {loop(number(0), {event(5, {number(0), number(0)})})});
  t.processes[0].streams[0].nodes = {loop(number(1000), {idle, event(5, {number(0), number(0)})})};
  EXPECT_TRUE(summarize(t, {.closed_forms = false}).complete);
  EXPECT_FALSE(summarize(t, {.walked_events = 100'000, .closed_forms = false}).complete);
}

Value random_value(std::mt19937& random, size_t loops, uint64_t executions, uint64_t last_trips) {
  auto small = [&] { return static_cast<int64_t>(random() % 9); };
  std::vector<int64_t> slopes;
  for (size_t d = 0; d < loops; ++d) slopes.push_back(random() % 3 ? small() : Value::any_slope);
  std::vector<int64_t> values(random() % 2 ? executions : executions + 3);
  for (int64_t& v : values) v = small();
  std::vector<int64_t> table(last_trips);
  for (int64_t& v : table) v = small();
  switch (random() % 7) {
    case 0:
      return number(small());
    case 5:
      return {.form = Form::power,
              .base = small(),
              .step = small(),
              .slopes = {slopes.begin(), slopes.end()},
              .depth = static_cast<uint32_t>(random() % loops),
              .ratio = 2 + small()};
    case 1:
      return affine(small(), slopes);
    case 2:
      return {.form = Form::counter, .base = small(), .step = small()};
    case 3:
      return {.form = Form::running, .base = small(), .step = 1, .parameter = 1};
    case 4: {
      Value v = column(table);
      v.form = Form::separable, v.base = small(), v.slopes.assign(slopes.begin(), slopes.end()),
      v.depth = static_cast<uint32_t>(loops - 1);
      return v;
    }
    default:
      return column(values);
  }
}

TEST(Summary, ClosedFormsAgreeWithWalkingOnRandomTrees) {
  std::mt19937 random(17);
  for (int round = 0; round < 500; ++round) {
    int64_t outer = static_cast<int64_t>(random() % 5), inner = 1 + static_cast<int64_t>(random() % 6);
    bool varies = random() % 2;
    uint64_t total = static_cast<uint64_t>(varies ? outer * (outer - 1) / 2 + outer * inner : outer * inner);
    Value trips = varies ? affine(inner, {1}) : number(inner);
    uint64_t longest = static_cast<uint64_t>(varies ? inner + outer : inner);
    Node write = event(2, {number(0), number(5), random_value(random, 2, total, longest)});
    Node copy =
        event(1, {number(0), number(5), {.form = Form::copy, .base = 2, .parameter = 2, .sibling = 0}});
    Trace t = sample::copy();
    t.processes[0].streams[0].nodes = {loop(number(outer), {loop(trips, {write, copy})})};
    Summary closed = summarize(t), walked = summarize(t, {.closed_forms = false});
    EXPECT_FALSE(walked.damaged);
    expect_equal(closed.outer, walked.outer);
  }
}

TEST(Sums, OfColumnsWithBodies) {
  Column c(Column::Items{{100, 10, 50, 1}, {7, -1, 4, 0}}, {{{0, 2, 3, 0}, {9, 0, 2, 0}}});
  std::vector<int64_t> values = c.expand();
  uint64_t sum = 0;
  for (uint64_t n = 0; n <= values.size(); ++n) {
    EXPECT_EQ(sum_of(c, n), sum) << n;
    if (n < values.size()) sum += static_cast<uint64_t>(values[n]);
  }
  EXPECT_FALSE(sum_of(c, values.size() + 1));
}

}  // namespace
}  // namespace refrain::measure
