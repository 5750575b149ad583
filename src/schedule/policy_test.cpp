// Schedules worked out by hand, one for each policy, and the ways of sharing that are not the paper's.
#include "schedule/policy.hpp"

#include <gtest/gtest.h>

#include "schedule/generate.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::schedule {
namespace {

using Ends = std::vector<double>;

/// Job 0 writes from 0 to 10. Meanwhile 1, 2 and 3 ask, at 1, 3 and 2, for 4, 2 and 6 seconds of I/O, with
/// 34, 3 and 26 seconds left; behind their I/O they compute for 30, 1 and 20.
Workload three_wait() {
  return {Machine::uniform(1, 100),
          {sample_job(0, {{0, 10}}), sample_job(1, {{1, 4}, {30, 0}}), sample_job(2, {{3, 2}, {1, 0}}),
           sample_job(3, {{2, 6}, {20, 0}})}};
}

TEST(Policy, LowestIdServesOneTwoThree) {
  EXPECT_EQ(ends(three_wait(), by_policy("lowest-id")), (Ends{10, 14 + 30, 16 + 1, 22 + 20}));
}
TEST(Policy, LongestIoServesThreeOneTwo) {
  EXPECT_EQ(ends(three_wait(), by_policy("longest-io")), (Ends{10, 20 + 30, 22 + 1, 16 + 20}));
}
TEST(Policy, ShortestIoServesTwoOneThree) {
  EXPECT_EQ(ends(three_wait(), by_policy("shortest-io")), (Ends{10, 16 + 30, 12 + 1, 22 + 20}));
}
TEST(Policy, ShortestRemainingServesTwoThreeOne) {
  EXPECT_EQ(ends(three_wait(), by_policy("shortest-remaining")), (Ends{10, 22 + 30, 12 + 1, 18 + 20}));
}
TEST(Policy, LongestRemainingServesOneThreeTwo) {
  EXPECT_EQ(ends(three_wait(), by_policy("longest-remaining")), (Ends{10, 14 + 30, 22 + 1, 20 + 20}));
}
TEST(Policy, FifoServesOneThreeTwo) {
  EXPECT_EQ(ends(three_wait(), by_policy("fifo")), (Ends{10, 14 + 30, 22 + 1, 20 + 20}));
}
/// None has had any I/O: all are equal, and ids decide.
TEST(Policy, BandwidthServesWhoHadNothingById) {
  EXPECT_EQ(ends(three_wait(), by_policy("bandwidth")), (Ends{10, 14 + 30, 16 + 1, 22 + 20}));
}
/// At 10: 10/1, 10/3 and 10/2.
TEST(Policy, StretchServesOneThreeTwo) {
  EXPECT_EQ(ends(three_wait(), by_policy("stretch")), (Ends{10, 14 + 30, 22 + 1, 20 + 20}));
}

TEST(Policy, PreemptiveServesTheShortestLeftAtOnce) {
  // 0 has 9 left when 1 (4) comes at 1; 1 has 3 left when 3 (6) comes and 2 left when 2 (2) comes: not less.
  EXPECT_EQ(ends(three_wait(), {.sharing = Sharing::preemptive}), (Ends{22, 5 + 30, 7 + 1, 13 + 20}));
}
TEST(Policy, SharedServesAllAtOnce) {
  // The example of the essay: 4 s from 0, 1 s from 1.
  Workload two{Machine::uniform(1, 2), {sample_job(0, {{0, 4}}), sample_job(1, {{1, 1}})}};
  EXPECT_EQ(ends(two, {.sharing = Sharing::shared}), (Ends{5, 3}));
  // Half of the bandwidth is lost while both write: 0.25 s each per second.
  EXPECT_EQ(ends(two, {.sharing = Sharing::shared, .degradation = 0.5}), (Ends{7, 5}));
}
TEST(Policy, UnlimitedKnowsNoContention) {
  EXPECT_EQ(ends(three_wait(), {.sharing = Sharing::unlimited}), (Ends{10, 35, 6, 28}));
}

/// B has had no I/O when A, which has had 5 s, asks again; and 2 s when both ask at 7.
TEST(Policy, BandwidthPrefersWhoHadLess) {
  Workload two{Machine::uniform(1, 2), {sample_job(0, {{0, 5}, {0, 1}}), sample_job(1, {{1, 2}, {0, 1}})}};
  EXPECT_EQ(ends(two, by_policy("bandwidth")), (Ends{9, 8}));
  EXPECT_EQ(ends(two, by_policy("fifo")), (Ends{8, 9}));
}

/// The example of tournament.cpp: who waits longest in proportion changes between 7 and 8.
TEST(Policy, StretchChangesItsMindWhileRequestsWait) {
  for (int io : {3, 4}) {
    Workload three{Machine::uniform(1, 3),
                   {sample_job(0, {{5, 1}}), sample_job(1, {{1, 1}}, 1, 6), sample_job(2, {{4, io}})}};
    Ends expected = io == 3 ? Ends{8, 9, 7} : Ends{10, 9, 8};
    EXPECT_EQ(ends(three, by_policy("stretch")), expected) << io;
  }
}

TEST(Policy, TiesGoToTheLowestId) {
  Workload equal{Machine::uniform(1, 9), {}};
  for (int id = 0; id < 5; ++id) equal.jobs.push_back(sample_job(10 * id, {{3, 2}}));
  for (const Policy& policy : policies()) {
    EXPECT_EQ(ends(equal, {.policy = &policy}), (Ends{5, 7, 9, 11, 13})) << policy.name;
  }
}

TEST(Policy, ASingleJobIsNeverDelayed) {
  Workload one{Machine::uniform(1, 1), {sample_job(0, {{0, 3}, {2, 0}, {0, 0}, {1, 4}})}};
  for (const Policy& policy : policies()) EXPECT_EQ(ends(one, {.policy = &policy}), Ends{10}) << policy.name;
}

TEST(Policy, JobsWithoutPhasesOrWithEmptyOnesEndWhenTheyStart) {
  Workload empty{Machine::uniform(1, 3),
                 {sample_job(0, {}), sample_job(1, {{0, 0}, {0, 0}}, 1, 4), sample_job(2, {{1, 1}})}};
  for (const Policy& policy : policies()) {
    EXPECT_EQ(ends(empty, {.policy = &policy}), (Ends{0, 4, 2})) << policy.name;
  }
}

/// Job 1 asks at 5 through phases that take no time, in the very instant in which job 0 ends its I/O and
/// job 2 asks: it still counts.
TEST(Policy, AllOfAnInstantSettlesBeforeAGrant) {
  Workload three{Machine::uniform(1, 3),
                 {sample_job(0, {{0, 5}}), sample_job(1, {{5, 0}, {0, 0}, {0, 2}}), sample_job(2, {{5, 3}})}};
  EXPECT_EQ(ends(three, by_policy("fifo")), (Ends{5, 7, 10}));
  EXPECT_EQ(ends(three, by_policy("longest-io")), (Ends{5, 10, 8}));
}

TEST(Policy, NamesAreFoundAndOthersRefused) {
  EXPECT_EQ(policies().size(), 8U);
  for (const Policy& policy : policies()) EXPECT_EQ(*find_policy(policy.name), &policy);
  Result<const Policy*> none = find_policy("lifo");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("lifo"), std::string::npos);
  EXPECT_NE(none.error().message.find("shortest-remaining"), std::string::npos);
}

struct Table1Row {
  const char* policy;
  double stretch;   ///< largest, at 64 batches
  double makespan;  ///< relative to fifo, at 64 batches
};

TEST(Policy, Table1OfThePaper) {
  auto on_table1 = [](const char* policy, uint64_t batches) {
    return simulate(table1(batches), {by_policy(policy), {MappingKind::first_fit}});
  };
  EXPECT_EQ(on_table1("fifo", 1).makespan, 15249 * second);
  double fifo = in_seconds(on_table1("fifo", 64).makespan);
  for (const Table1Row& row : std::initializer_list<Table1Row>{{"longest-io", 1.833, 1.262},
                                                               {"shortest-remaining", 1.833, 1.262},
                                                               {"fifo", 1.452, 1},
                                                               {"lowest-id", 1.345, 0.926},
                                                               {"shortest-io", 1.321, 0.910},
                                                               {"longest-remaining", 1.321, 0.910},
                                                               {"bandwidth", 1.321, 0.910},
                                                               {"stretch", 1.321, 0.910}}) {
    Outcome outcome = on_table1(row.policy, 64);
    EXPECT_NEAR(outcome.max_stretch, row.stretch, 0.0005) << row.policy;
    EXPECT_NEAR(in_seconds(outcome.makespan) / fifo, row.makespan, 0.0005) << row.policy;
  }
}

}  // namespace
}  // namespace refrain::schedule
