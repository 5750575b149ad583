// Requests come out in the order of the policy, withdrawn ones never, and take no memory for long.
#include "coordinate/wait_line.hpp"

#include <gtest/gtest.h>

#include <random>

#include "coordinate/job_state.hpp"

namespace refrain::coordinate {
namespace {

const schedule::Policy& policy(const char* name) { return **schedule::find_policy(name); }

TEST(WaitLine, EqualsGoByIdWithdrawnOnesNot) {
  for (const schedule::Policy& each : schedule::policies()) {
    WaitLine line(each);
    std::vector<JobState> jobs(4);
    std::vector<uint32_t> tickets(4);
    for (uint32_t id : {2U, 0U, 3U, 1U}) tickets[id] = line.push(5, id, &jobs[id], {.requested = 5, .io = 1});
    line.withdraw(6, tickets[1]);
    EXPECT_EQ(line.size(), 3U);
    EXPECT_EQ(line.pop(7), &jobs[0]) << each.name;
    EXPECT_EQ(line.pop(7), &jobs[2]) << each.name;
    EXPECT_EQ(line.pop(7), &jobs[3]) << each.name;
    EXPECT_TRUE(line.empty());
  }
}

TEST(WaitLine, WithdrawnRequestsTakeNoMemoryForLong) {
  for (const schedule::Policy& each : schedule::policies()) {
    WaitLine line(each);
    JobState job;
    line.push(0, 1, &job, {});
    for (schedule::Time now = 0; now < 10000; ++now) {
      line.withdraw(now, line.push(now, 7, &job, {.requested = now}));
      ASSERT_LT(line.kept(), 100U);
    }
    EXPECT_EQ(line.pop(10000), &job);
  }
}

/// Against a plain search.
TEST(WaitLine, ServesTheShortest) {
  std::mt19937_64 random(3);
  WaitLine line(policy("shortest-io"));
  std::vector<JobState> jobs(200);
  std::map<std::pair<schedule::Time, uint32_t>, uint32_t> waiting;  // io, id -> ticket
  std::vector<bool> waits(jobs.size());
  for (schedule::Time now = 0; now < 20000; ++now) {
    auto id = static_cast<uint32_t>(random() % jobs.size());
    auto first = waiting.begin();
    if (!waits[id]) {
      auto io = static_cast<schedule::Time>(random() % 50);
      waiting[{io, id}] = line.push(now, id, &jobs[id], {.io = io});
      waits[id] = true;
    } else if (random() % 2 == 0) {
      auto found = std::find_if(first, waiting.end(), [id](auto& entry) { return entry.first.second == id; });
      line.withdraw(now, found->second);
      waiting.erase(found);
      waits[id] = false;
    } else {
      ASSERT_EQ(line.pop(now), &jobs[first->first.second]);
      waits[first->first.second] = false;
      waiting.erase(first);
    }
    ASSERT_EQ(line.size(), waiting.size());
  }
}

}  // namespace
}  // namespace refrain::coordinate
