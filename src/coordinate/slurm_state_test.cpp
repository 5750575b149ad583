#include "coordinate/slurm_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "coordinate/slurm_samples.hpp"

namespace refrain::coordinate {
namespace {

using Names = std::vector<std::string>;

TEST(SlurmState, JobsOf22_05) {
  Result<std::vector<SlurmJob>> jobs = read_jobs(squeue_22_05);
  ASSERT_TRUE(jobs) << jobs.error().text();
  ASSERT_EQ(jobs->size(), 3U);
  const SlurmJob& running = jobs->at(0);
  EXPECT_EQ(running.id, 6);
  EXPECT_EQ(running.name, "app");
  EXPECT_EQ(running.state, SlurmJobState::running);
  EXPECT_FALSE(running.held_by_user);
  EXPECT_TRUE(running.ordinary);
  EXPECT_EQ(running.nodes, 2U);
  EXPECT_EQ(running.node_list, "n[5-6]");
  EXPECT_EQ(running.partition, "io1");
  EXPECT_GT(running.start, 1'700'000'000);
  EXPECT_GT(running.latest_end, running.start);
  EXPECT_TRUE(running.comment.starts_with("refrain/1 nodes=2 ranks=8 "));
  const SlurmJob& held = jobs->at(1);
  EXPECT_EQ(held.state, SlurmJobState::pending);
  EXPECT_TRUE(held.held_by_user);
  EXPECT_FALSE(held.depends);
  EXPECT_EQ(held.nodes, 3U);
  EXPECT_EQ(held.eligible, 0);
  EXPECT_EQ(held.start, 0);
  const SlurmJob& array = jobs->at(2);
  EXPECT_TRUE(array.held_by_user);
  EXPECT_FALSE(array.ordinary);
}

TEST(SlurmState, NodesOf22_05) {
  Result<std::vector<SlurmNode>> nodes = read_nodes(sinfo_22_05);
  ASSERT_TRUE(nodes) << nodes.error().text();
  ASSERT_EQ(nodes->size(), 3U);
  EXPECT_EQ(nodes->at(0).name, "n4");
  EXPECT_EQ(nodes->at(0).use, NodeUse::idle);
  EXPECT_EQ(nodes->at(0).partitions, (Names{"io0", "queue"}));
  EXPECT_EQ(nodes->at(1).use, NodeUse::busy);
  EXPECT_EQ(nodes->at(2).partitions, (Names{"io1", "queue"}));
}

TEST(SlurmState, JobsOfLaterVersions) {
  Result<std::vector<SlurmJob>> jobs = read_jobs(squeue_23_02);
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 4U);
  EXPECT_EQ(jobs->at(0).state, SlurmJobState::running);
  EXPECT_EQ(jobs->at(0).nodes, 2U);
  EXPECT_EQ(jobs->at(0).latest_end - jobs->at(0).start, 3600);
  EXPECT_TRUE(jobs->at(1).held_by_user);
  EXPECT_TRUE(jobs->at(1).ordinary);
  EXPECT_EQ(jobs->at(1).admin_comment, "refrain/1 pack=3 on=io1 by=make-pack/1");
  EXPECT_FALSE(jobs->at(2).held_by_user);  // its start failed
  EXPECT_FALSE(jobs->at(3).held_by_user);  // an operator holds it
  EXPECT_TRUE(jobs->at(3).kept_back);
  EXPECT_FALSE(jobs->at(0).kept_back);

  jobs = read_jobs(squeue_24_05);
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 2U);
  EXPECT_EQ(jobs->at(0).start, 1794885931);
  EXPECT_EQ(jobs->at(1).state, SlurmJobState::running);  // it still has its node
}

TEST(SlurmState, NodesOfLaterVersions) {
  Result<std::vector<SlurmNode>> nodes = read_nodes(sinfo_23_02);
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 4U);
  EXPECT_EQ(nodes->at(0).partitions, (Names{"io0", "queue"}));
  EXPECT_EQ(nodes->at(0).use, NodeUse::idle);
  EXPECT_EQ(nodes->at(1).use, NodeUse::busy);
  EXPECT_EQ(nodes->at(3).name, "n8");
  EXPECT_EQ(nodes->at(3).use, NodeUse::unusable);
}

TEST(SlurmState, OtherTextIsRefused) {
  for (std::string_view text :
       {"", "{", "[]", "null", R"({"jobs": 3})", R"({"errors": []})", "slurm_load_jobs error"})
    EXPECT_FALSE(read_jobs(text)) << text;
  EXPECT_FALSE(read_nodes(squeue_22_05));
  EXPECT_FALSE(read_jobs(sinfo_22_05));
  std::string nested(200'000, '[');
  EXPECT_FALSE(read_jobs(R"({"jobs": [)" + nested));
}

TEST(SlurmState, ErrorsOfSlurmAreErrors) {
  Result<std::vector<SlurmJob>> jobs = read_jobs(
      R"({"meta": {}, "errors": [{"description": "Failed while looking for jobs", "error_number": -1,
          "error": "Unspecified error", "source": "slurm_load_jobs"}], "jobs": []})");
  ASSERT_FALSE(jobs);
  EXPECT_EQ(jobs.error().text(), "squeue: Failed while looking for jobs (slurm_load_jobs)");
  Result<std::vector<SlurmNode>> nodes =
      read_nodes(R"({"errors": [{"error": "Unspecified error", "errno": -1}], "nodes": []})");
  ASSERT_FALSE(nodes);
  EXPECT_EQ(nodes.error().text(), "sinfo: Unspecified error");
}

/// Whatever is cut off or of another type: no crash, and nothing that was not there.
TEST(SlurmState, DamagedTextGivesNothingOrWhatIsLeft) {
  std::string text(squeue_23_02);
  for (size_t at = 0; at < text.size(); at += 7) {
    EXPECT_FALSE(read_jobs(text.substr(0, at)));
    std::string changed = text;
    changed[at] = "0\"{}[],:x"[at % 9];
    if (Result<std::vector<SlurmJob>> jobs = read_jobs(changed)) {
      EXPECT_LE(jobs->size(), 4U);
    }
  }
  Result<std::vector<SlurmJob>> odd = read_jobs(
      R"({"jobs": [3, null, [], {}, {"job_id": -1}, {"job_id": 1e30, "job_state": "RUNNING"},
          {"job_id": "7", "job_state": "RUNNING"}, {"job_id": 5, "job_state": 4},
          {"job_id": 8, "job_state": "PENDING", "node_count": -3, "comment": 5, "name": {}},
          {"job_id": 8, "job_state": "RUNNING"}]})");
  ASSERT_TRUE(odd);
  ASSERT_EQ(odd->size(), 1U);
  EXPECT_EQ(odd->at(0).nodes, 0U);
}

TEST(SlurmState, DependenciesAreOnJobsThatAreThere) {
  auto depends = [](const std::string& dependency) {
    Result<std::vector<SlurmJob>> jobs =
        read_jobs(R"({"jobs": [{"job_id": 1, "job_state": "RUNNING"}, {"job_id": 2, "job_state": "PENDING"},
                     {"job_id": 3, "job_state": "COMPLETED"},
                     {"job_id": 9, "job_state": "PENDING", "dependency": ")" +
                  dependency + "\"}]}");
    EXPECT_EQ(jobs->back().has_dependency, !dependency.empty());
    return jobs->back().depends;
  };
  EXPECT_TRUE(depends("afterok:1(unfulfilled)"));
  EXPECT_TRUE(depends("afterany:3:2(unfulfilled)"));
  EXPECT_TRUE(depends("afterok:3(unfulfilled)?afternotok:1_4(unfulfilled)"));
  EXPECT_TRUE(depends("after:2+5(unfulfilled)"));
  EXPECT_FALSE(depends("after:1(unfulfilled)"));
  EXPECT_FALSE(depends("afterok:3(unfulfilled)"));
  EXPECT_FALSE(depends("afterok:12(failed)"));
  EXPECT_FALSE(depends("singleton(unfulfilled)"));
  EXPECT_FALSE(depends(""));
}

TEST(SlurmState, ListsOfNodes) {
  EXPECT_EQ(*node_names("n[1-3,7]"), (Names{"n1", "n2", "n3", "n7"}));
  EXPECT_EQ(*node_names("a,n[08-10]-ib,b2"), (Names{"a", "n08-ib", "n09-ib", "n10-ib", "b2"}));
  EXPECT_EQ(*node_names(""), Names{});
  for (std::string_view bad :
       {"n[1-", "n[3-1]", "n[]", "n[a]", ",", "a,,b", "n[1-3][4-5]", "n[1-999999999]", "n[-1]"})
    EXPECT_FALSE(node_names(bad)) << bad;
  EXPECT_FALSE(node_names("n[1-10]", 9));
  EXPECT_TRUE(node_names("n[1-10]", 10));
}

TEST(SlurmState, TheControllersStart) {
  std::time_t start = 1'794'887'990;
  char text[64];
  std::strftime(text, sizeof text, "BOOT_TIME               = %Y-%m-%dT%H:%M:%S\n", std::localtime(&start));
  EXPECT_EQ(controller_start(std::string("AuthInfo = (null)\n") + text + "BurstBufferType = (null)\n"),
            start);
  for (const char* other :
       {"", "BOOT_TIME", "BOOT_TIME = ", "BOOT_TIME = never\n", "BOOT_TIME = 2026-11-17T\n"})
    EXPECT_FALSE(controller_start(other)) << other;
}

}  // namespace
}  // namespace refrain::coordinate
