// Job files: what is read, what is written, and what is said about bad ones.
#include "schedule/job_file.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "schedule/generate.hpp"

namespace refrain::schedule {
namespace {

constexpr const char* machine =
    R"({"machine": {"io_nodes": 2, "nodes_per_io_node": 8, "bandwidth": 2}, "jobs": [)";

std::string with_jobs(const std::string& jobs) { return machine + jobs + "]}"; }

/// What is said about a file with these jobs.
std::string complaint(const std::string& jobs) {
  Result<Workload> workload = parse_workload(with_jobs(jobs));
  return workload ? "accepted" : workload.error().text();
}

TEST(JobFile, ReadsTheExampleOfTheDocumentation) {
  Result<Workload> workload = parse_workload(R"(
    {"machine": {"io_nodes": 5, "nodes_per_io_node": 2048, "bandwidth": 1.0},
     "jobs": [{"id": 0, "nodes": 128, "release": 0, "iterations": 589, "compute": 32.4, "io": 27.5},
              {"id": 1, "name": "restart", "nodes": 4, "phases": [[10.0, 5.0], [3.0, 0.0]]}]})");
  ASSERT_TRUE(workload) << workload.error().text();
  EXPECT_EQ(workload->machine, Machine::uniform(5, 2048, 1));
  ASSERT_EQ(workload->jobs.size(), 2U);
  EXPECT_EQ(workload->jobs[0], periodic_job(0, 128, 589, 32'400'000'000, 27.5));
  EXPECT_EQ(workload->jobs[1].name, "restart");
  EXPECT_EQ(workload->jobs[1].alone(1), 18 * second);
}

TEST(JobFile, ReadsNestedPhasesAndMachinesThatDiffer) {
  Result<Workload> workload = parse_workload(R"(
    {"machine": {"io_nodes": 2, "nodes_per_io_node": [8, 4], "bandwidth": [1, 2.5]},
     "jobs": [{"id": 7, "nodes": 8, "note": "estimated",
               "phases": [[1, 2], {"repeat": 1000, "phases": [[1, 0.5], [2, 0]]}, [0, 9]]}]})");
  ASSERT_TRUE(workload) << workload.error().text();
  EXPECT_EQ(workload->machine.io_nodes[1], (IoNode{4, 2.5}));
  const Job& job = workload->jobs[0];
  ASSERT_EQ(job.blocks.size(), 3U);
  EXPECT_EQ(job.blocks[1], (Block{1, 2, 1000}));
  EXPECT_EQ(job.phase_count(), 2002U);
  EXPECT_EQ(job.compute_time(), 3001 * second);
  EXPECT_EQ(job.volume(), 511);
  EXPECT_EQ(job.note, "estimated");
}

TEST(JobFile, WritesWhatItReads) {
  std::string text = R"({"machine": {"io_nodes": 2, "nodes_per_io_node": [8, 4], "bandwidth": [1, 2.5]},
     "jobs": [{"id": 9, "nodes": 1, "release": 1.25, "compute": 0.1, "io": 1e-9},
              {"id": 7, "nodes": 8, "name": "a \"b\"", "phases": [[1, 2], {"repeat": 5, "phases": [[1, 0.5], [2, 0]]}]}]})";
  Result<Workload> workload = parse_workload(text);
  ASSERT_TRUE(workload) << workload.error().text();
  Result<Workload> again = parse_workload(workload_text(*workload));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, *workload);
  EXPECT_EQ(workload->jobs[0].id, 7) << "jobs stand by id";
  for (uint64_t number : {0, 1, 2}) {
    Workload generated = generate({.number = number});
    Result<Workload> read = parse_workload(workload_text(generated));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, generated);
  }
}

TEST(JobFile, NamesJobAndFieldOfWhatIsWrong) {
  std::string good = R"("nodes": 1, "compute": 1, "io": 1})";
  EXPECT_EQ(complaint(R"({"id": 3, )" + good), "accepted");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": -1, "io": 1})"),
            "job 3, compute: must not be negative, is -1");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": 1, "io": null})"),
            "job 3, io: must be a number, is null");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": "5", "io": 1})"),
            "job 3, compute: must be a number, is \"5\"");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": 1})"), "job 3, io: is missing");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 9, "compute": 1, "io": 1})"),
            "job 3, nodes: 9 are more than the 8 of the largest partition");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 0, "compute": 1, "io": 1})"),
            "job 3, nodes: must be at least 1, is 0");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1.5, "compute": 1, "io": 1})"),
            "job 3, nodes: must be a whole number, is 1.5");
  EXPECT_EQ(complaint(R"({"id": 3, )" + good + R"(, {"id": 3, )" + good), "job 3, id: two jobs have it");
  EXPECT_EQ(complaint(R"({"id": "x", )" + good), "jobs[0], id: must be a whole number, is \"x\"");
  EXPECT_EQ(complaint("{" + good), "jobs[0], id: is missing");
  EXPECT_EQ(complaint(R"({"id": 3, "iterations": 1000000000, )" + good),
            "job 3, iterations: 1000000000 phases are more than the 100000000 that can be simulated");
  EXPECT_EQ(
      complaint(R"({"id": 3, "nodes": 1, "phases": [{"repeat": 1000000000, "phases": [[1, 1], [1, 1]]}]})"),
      "job 3, phases: 2000000000 phases are more than the 100000000 that can be simulated");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "phases": [[1, 1], [1]]})"),
            "job 3, phases[1]: must be [compute, io], is [1]");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "phases": [], "io": 1})"),
            "job 3, io: can't be given together with phases");
  EXPECT_EQ(complaint(R"({"id": 3, "iteration": 5, )" + good),
            "job 3, \"iteration\": is no field of this object");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": 1e18, "io": 1})"),
            "job 3, compute: 1e+18 s are too long");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": 1, "io": 1e300})"),
            "job 3, phases: with it the workload takes longer than can be simulated (18 years)");
  EXPECT_EQ(complaint("5"), "jobs[0]: must be an object, is 5");
}

TEST(JobFile, RefusesFieldsThatAreGivenTwice) {
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": 1, "io": 1, "compute": 1})"),
            "jobs[0], \"compute\": is given twice");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "compute": 1, "io": 1}, {"id": 4, "id": 5})"),
            "jobs[1], \"id\": is given twice");
  EXPECT_EQ(complaint(R"({"id": 3, "nodes": 1, "phases": [{"repeat": 2, "phases": [[1, 1]], "repeat": 2}]})"),
            "jobs[0], \"repeat\": is given twice");
  Result<Workload> machines =
      parse_workload(R"({"machine": {"io_nodes": 1, "nodes_per_io_node": 1, "io_nodes": 1}, "jobs": []})");
  ASSERT_FALSE(machines);
  EXPECT_EQ(machines.error().text(), "\"io_nodes\": is given twice");
  Result<Workload> lists = parse_workload(with_jobs("") + " ");
  ASSERT_TRUE(lists);
  std::string twice = with_jobs("");
  twice.insert(twice.size() - 1, R"(, "jobs": [])");
  lists = parse_workload(twice);
  ASSERT_FALSE(lists);
  EXPECT_EQ(lists.error().text(), "\"jobs\": is given twice");
}

TEST(JobFile, BoundsTheFieldsOfAnObject) {
  std::string fields = R"("id": 3)";
  for (int i = 0; i < 100; ++i) fields += fmt::format(R"(, "f{}": 0)", i);
  EXPECT_EQ(complaint("{" + fields + "}"), "jobs[0], \"f63\": is one field too many for an object");
}

TEST(JobFile, NamesWhatIsWrongWithTheRest) {
  auto said = [](const std::string& text) {
    Result<Workload> workload = parse_workload(text);
    return workload ? "accepted" : workload.error().text();
  };
  EXPECT_EQ(said("[]"), "must be an object with machine and jobs");
  EXPECT_EQ(said("{}"), "machine: is missing");
  EXPECT_EQ(said(R"({"machine": {"io_nodes": 0, "nodes_per_io_node": 1}, "jobs": []})"),
            "io_nodes: must be at least 1, is 0");
  EXPECT_EQ(said(R"({"machine": {"io_nodes": 1, "nodes_per_io_node": 1, "bandwidth": 0}, "jobs": []})"),
            "bandwidth: must be positive, is 0");
  EXPECT_EQ(said(R"({"machine": {"io_nodes": 3, "nodes_per_io_node": [1, 2]}, "jobs": []})"),
            "nodes_per_io_node: has 2 values for 3 I/O nodes");
  for (const char* text : {"", "{", R"({"machine": NaN})", R"({"machine": 1e999})", "\xff\xfe", "[[[[[["}) {
    EXPECT_EQ(said(text).rfind("is not JSON: ", 0), 0U) << said(text);
    EXPECT_EQ(said(text).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace refrain::schedule
