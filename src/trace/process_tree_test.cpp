#include "trace/process_tree.hpp"

#include <gtest/gtest.h>

#include "trace/sample.hpp"

namespace refrain::trace {
namespace {

using enum Step::Kind;

struct Made {
  bool works = false;
  std::vector<Step> steps{};
};

Trace processes(const std::vector<Made>& made) {
  Trace t = sample::pipeline();
  std::vector<Stream> calls = t.processes[1].streams;
  t.processes.assign(made.size(), Process{.program = "/bin/sh"});
  for (size_t p = 0; p < made.size(); ++p) {
    if (made[p].works) t.processes[p].streams = calls;
    t.processes[p].steps = made[p].steps;
  }
  return t;
}

std::string reason(const std::vector<Made>& made) {
  Result<ProcessTree> tree = process_tree(processes(made));
  return tree ? "none" : tree.error().text();
}

ProcessTree tree_of(const Trace& trace) {
  Result<ProcessTree> tree = process_tree(trace);
  EXPECT_TRUE(tree) << tree.error().text();
  return tree ? *tree : ProcessTree{};
}

TEST(ProcessTrees, IdleProcessesGoWhereTheyOrderNothing) {
  // The shell stays, since it starts two; `true` goes, and gzip takes the place of the shell that became it.
  ProcessTree tree = tree_of(sample::pipeline());
  ASSERT_EQ(tree.members.size(), 4U);
  EXPECT_EQ(tree.links, 2U);
  EXPECT_EQ(tree.members[0].steps,
            (std::vector<Step>{{starts, 0, 1}, {starts, 0, 3}, {awaits, 0, 1}, {awaits, 0, 3}}));
  EXPECT_EQ(tree.members[1].steps, (std::vector<Step>{{becomes, 4, 2}}));
  EXPECT_EQ(tree.members[2].process, 2U);
  EXPECT_EQ(tree.members[3].process, 4U);
}

TEST(ProcessTrees, AWrapperGivesItsPlace) {
  ProcessTree tree =
      tree_of(processes({{false, {{starts, 0, 1}, {awaits, 0, 1}}}, {false, {{becomes, 0, 2}}}, {true, {}}}));
  ASSERT_EQ(tree.members.size(), 1U);
  EXPECT_EQ(tree.members[0].process, 2U);
  EXPECT_TRUE(tree.members[0].steps.empty());
}

TEST(ProcessTrees, WhatAProcessDidBeforeItBecameAnotherComesFirst) {
  ProcessTree tree =
      tree_of(processes({{false, {{starts, 0, 1}, {becomes, 0, 2}}}, {true, {}}, {true, {{awaits, 3, 1}}}}));
  ASSERT_EQ(tree.members.size(), 2U);
  EXPECT_EQ(tree.members[0].process, 2U);
  EXPECT_EQ(tree.members[0].steps, (std::vector<Step>{{starts, 0, 1}, {awaits, 3, 1}}));
}

TEST(ProcessTrees, StepsThatContradictEachOtherAreRefused) {
  EXPECT_NE(reason({{true, {{starts, 0, 1}}}, {true, {}}, {true, {}}}).find("who started process 2"),
            std::string::npos);
  EXPECT_NE(reason({{true, {{starts, 0, 7}}}}).find("contradict"), std::string::npos);
  EXPECT_NE(reason({{true, {{starts, 0, 0}}}}).find("contradict"), std::string::npos);
  EXPECT_NE(reason({{true, {{starts, 0, 1}, {starts, 0, 1}}}, {true, {}}}).find("contradict"),
            std::string::npos);
  EXPECT_NE(reason({{true, {{starts, 0, 1}, {tells, 0, 0}}}, {true, {}}}).find("two ends"),
            std::string::npos);
  EXPECT_NE(reason({{true, {{starts, 0, 1}, {awaits, 0, 1}, {tells, 0, 0}}}, {true, {{hears, 0, 0}}}})
                .find("waits for what comes after it"),
            std::string::npos);
  EXPECT_NE(reason({{true, {{becomes, 0, 1}}}, {true, {{becomes, 0, 0}}}}).find("no calls"),
            std::string::npos);
  EXPECT_EQ(reason({{true, {{starts, 0, 1}, {tells, 0, 0}, {awaits, 0, 1}}}, {true, {{hears, 0, 0}}}}),
            "none");
  Trace ranks = sample::pipeline();
  ranks.processes[2].ranks = RankSet::range(0, 1);
  EXPECT_FALSE(process_tree(ranks));
}

}  // namespace
}  // namespace refrain::trace
