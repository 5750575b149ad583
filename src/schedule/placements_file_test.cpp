#include "schedule/placements_file.hpp"

#include <gtest/gtest.h>

#include "schedule/experiment.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::schedule {
namespace {

Workload two_jobs() {
  return {Machine::uniform(2, 4), {sample_job(0, {{5, 5}}, 4), sample_job(7, {{3, 1}}, 4)}};
}

TEST(PlacementsFile, WhatASimulationPrintsIsRead) {
  Workload workload = two_jobs();
  Outcome simulated = simulate(workload, {by_policy("fifo"), {}});
  Result<std::vector<Placement>> read = parse_placements(outcome_json(workload, simulated), workload);
  ASSERT_TRUE(read) << read.error().text();
  Outcome again = outcome_of(workload, simulated.setup, *read);
  EXPECT_EQ(again.makespan, simulated.makespan);
  EXPECT_EQ(again.stretches, simulated.stretches);
  EXPECT_EQ(again.placements[1].partition, simulated.placements[1].partition);
}

TEST(PlacementsFile, OtherTextIsRefused) {
  for (std::string_view text : {"", "[]", R"({"jobs": [3]})", R"({"jobs": [{}]})", R"({"jobs": []})",
                                R"({"jobs": [{"id": 0, "partition": 2, "start": 0, "end": 1}]})",
                                R"({"jobs": [{"id": 0, "partition": 0, "start": 2, "end": 1}]})",
                                R"({"jobs": [{"id": 0, "partition": 0, "start": -1, "end": 1}]})",
                                R"({"jobs": [{"id": 0, "partition": 0, "start": 0, "end": 1e300}]})",
                                R"({"jobs": [{"id": 0, "partition": 0, "start": 0, "end": 1}]})"})
    EXPECT_FALSE(parse_placements(text, two_jobs())) << text;
}

}  // namespace
}  // namespace refrain::schedule
