// Marks of made-up processes, and what steps they become.
#include "session/process_steps.hpp"

#include <gtest/gtest.h>

namespace refrain::record {
namespace {

using trace::Step;
using enum trace::Step::Kind;

/// A process of the trace that is made, with what it has marked.
struct Made {
  uint32_t pid = 0;
  uint64_t start_ns = 0;
  std::vector<Mark> marks{};
  uint64_t events = 0;
  uint32_t parent_pid = 1;
  trace::Ending ending = trace::Ending::exited;
};

trace::Trace stepped(const std::vector<Made>& made) {
  trace::Trace trace;
  std::vector<MarkedProcess> marked;
  for (const Made& one : made) {
    trace.processes.push_back(
        {.pid = one.pid, .parent_pid = one.parent_pid, .start_ns = one.start_ns, .ending = one.ending});
    marked.push_back({one.start_ns, one.pid, "host", {one.marks, one.events}});
  }
  add_steps(trace, marked);
  return trace;
}

TEST(ProcessSteps, ChildrenStandInTheOrderInWhichTheyWereStarted) {
  // The second child began to record before the first one.
  trace::Trace t = stepped(
      {{10,
        100,
        {{MarkKind::started, 11, 2, 110}, {MarkKind::started, 12, 2, 111}, {MarkKind::awaited, 12, 5, 300}},
        6},
       {12, 120, {}, 1},
       {11, 130, {}, 1}});
  ASSERT_EQ(t.processes.size(), 3U);
  EXPECT_EQ(t.processes[1].pid, 11U);
  EXPECT_EQ(t.processes[0].steps, (std::vector<Step>{{starts, 2, 1}, {starts, 2, 2}, {awaits, 5, 2}}));
}

TEST(ProcessSteps, ImagesOfOneProcessFollowEachOther) {
  trace::Trace t = stepped({{10, 100, {{MarkKind::started, 11, 1, 110}, {MarkKind::awaited, 11, 1, 200}}, 1},
                            {11, 120, {}, 3, 10, trace::Ending::replaced},
                            {11, 130, {}, 1}});
  EXPECT_EQ(t.processes[0].steps, (std::vector<Step>{{starts, 1, 1}, {awaits, 1, 1}}));
  EXPECT_EQ(t.processes[1].steps, (std::vector<Step>{{becomes, 3, 2}}));
}

TEST(ProcessSteps, NumbersThatAreUsedAgainAreOtherProcesses) {
  trace::Trace t = stepped({{10,
                             100,
                             {{MarkKind::started, 11, 0, 110},
                              {MarkKind::awaited, 11, 0, 130},
                              {MarkKind::started, 11, 4, 140},
                              {MarkKind::awaited, 11, 4, 160}},
                             4},
                            {11, 120, {}, 1},
                            {11, 150, {}, 1}});
  EXPECT_EQ(t.processes[0].steps,
            (std::vector<Step>{{starts, 0, 1}, {awaits, 0, 1}, {starts, 4, 2}, {awaits, 4, 2}}));
}

TEST(ProcessSteps, WhatTheLibraryStartsIsKnownByParentAndTime) {
  trace::Trace t = stepped({{10,
                             100,
                             {{MarkKind::unnamed_started, 0, 1, 110},
                              {MarkKind::unnamed_ended, 0, 1, 130},
                              {MarkKind::unnamed_started, 7, 2, 140},
                              {MarkKind::unnamed_ended, 7, 3, 200}},
                             3},
                            {12, 150, {}, 1, 10}});
  EXPECT_EQ(t.processes[0].steps, (std::vector<Step>{{starts, 2, 1}, {awaits, 3, 1}}))
      << "the first left nothing";
}

TEST(ProcessSteps, PipesTieTheirEnds) {
  std::vector<Mark> parent{{MarkKind::started, 11, 0, 110}, {MarkKind::started, 12, 0, 111}};
  std::vector<Mark> writes{{MarkKind::pipe_written, 99, 1, 120}}, closes = writes;
  closes.push_back({MarkKind::pipe_closed, 99, 3, 125});
  std::vector<Mark> reads{{MarkKind::pipe_read, 99, 0, 130}, {MarkKind::pipe_ended, 99, 2, 140}};
  trace::Trace t = stepped({{10, 100, parent, 0}, {11, 115, writes, 5}, {12, 116, reads, 2}});
  EXPECT_EQ(t.processes[1].steps, (std::vector<Step>{{tells, 1, 0}, {tells, 5, 1}}));
  EXPECT_EQ(t.processes[2].steps, (std::vector<Step>{{hears, 0, 0}, {hears, 2, 1}}));
  t = stepped({{10, 100, parent, 0}, {11, 115, closes, 5}, {12, 116, reads, 2}});
  EXPECT_EQ(t.processes[1].steps, (std::vector<Step>{{tells, 1, 0}, {tells, 3, 1}}));
}

TEST(ProcessSteps, OfSeveralWritersOnlyTheEndIsKnown) {
  std::vector<Mark> parent{{MarkKind::started, 11, 0, 110}, {MarkKind::started, 12, 0, 111}};
  parent.push_back({MarkKind::pipe_read, 99, 0, 130});
  parent.push_back({MarkKind::pipe_ended, 99, 0, 140});
  std::vector<Mark> writes{{MarkKind::pipe_written, 99, 1, 120}};
  trace::Trace t = stepped({{10, 100, parent, 0}, {11, 115, writes, 2}, {12, 116, writes, 3}});
  EXPECT_EQ(t.processes[0].steps,
            (std::vector<Step>{{starts, 0, 1}, {starts, 0, 2}, {hears, 0, 0}, {hears, 0, 1}}));
  EXPECT_EQ(t.processes[1].steps, (std::vector<Step>{{tells, 2, 0}}));
}

TEST(ProcessSteps, AnAncestorThatDoesNotCloseMayWaitForTheReader) {
  std::vector<Mark> parent{
      {MarkKind::started, 11, 0, 110}, {MarkKind::pipe_written, 99, 0, 115}, {MarkKind::awaited, 11, 0, 200}};
  std::vector<Mark> reads{{MarkKind::pipe_ended, 99, 2, 140}};
  trace::Trace t = stepped({{10, 100, parent, 1}, {11, 116, reads, 2}});
  EXPECT_TRUE(t.processes[1].steps.empty());
}

TEST(ProcessSteps, RanksHaveNone) {
  trace::Trace t;
  t.nprocs = 2;
  t.processes.resize(2);
  add_steps(t, {});
  EXPECT_TRUE(t.processes[0].steps.empty());
}

}  // namespace
}  // namespace refrain::record
