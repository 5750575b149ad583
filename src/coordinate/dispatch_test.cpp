#include "coordinate/dispatch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/test_rounds.hpp"
#include "coordinate/job_profile.hpp"
#include "schedule/generate.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::coordinate {
namespace {

using schedule::Mapping;
using schedule::MappingKind;
using schedule::second;
using schedule::Time;
using schedule::Workload;

constexpr int64_t morning = 1'794'880'000;

std::vector<std::string> partition_names(size_t count) {
  std::vector<std::string> names;
  for (size_t p = 0; p < count; ++p) names.push_back("io" + std::to_string(p));
  return names;
}

/// A Slurm that does what it is told at once. Jobs have the numbers 1, 2, ... of the workload's jobs.
class FakeSlurm {
 public:
  explicit FakeSlurm(const Workload& workload) {
    size_t number = 0;
    for (uint32_t p = 0; p < workload.machine.io_nodes.size(); ++p) {
      for (uint32_t n = 0; n < workload.machine.io_nodes[p].nodes; ++n) {
        nodes_of_[p].push_back(state.nodes.size());
        state.nodes.push_back(
            {"n" + std::to_string(number++), {"io" + std::to_string(p), "queue"}, NodeUse::idle});
      }
    }
    for (size_t j = 0; j < workload.jobs.size(); ++j) add(workload.jobs[j], static_cast<int64_t>(j) + 1);
  }

  void add(const schedule::Job& job, int64_t id) {
    JobProfile profile{.job = job};
    state.jobs.push_back({.id = id,
                          .state = SlurmJobState::pending,
                          .held_by_user = true,
                          .nodes = job.nodes,
                          .partition = "queue",
                          .comment = profile_text(profile)});
  }

  SlurmJob& job(int64_t id) {
    return *std::find_if(state.jobs.begin(), state.jobs.end(),
                         [id](const SlurmJob& j) { return j.id == id; });
  }
  void end(int64_t id) {
    for (size_t node : node_of_[id]) state.nodes[node].use = NodeUse::idle;
    std::erase_if(state.jobs, [id](const SlurmJob& j) { return j.id == id; });
  }
  void run(int64_t id, uint32_t p, int64_t now) {
    SlurmJob& started = job(id);
    started.state = SlurmJobState::running;
    started.held_by_user = false;
    started.partition = "io" + std::to_string(p);
    started.start = now;
    for (size_t node : nodes_of_[p]) {
      if (node_of_[id].size() == started.nodes) break;
      if (state.nodes[node].use != NodeUse::idle) continue;
      state.nodes[node].use = NodeUse::busy;
      node_of_[id].push_back(node);
      started.node_list += (started.node_list.empty() ? "" : ",") + state.nodes[node].name;
    }
    ASSERT_EQ(node_of_[id].size(), started.nodes) << "job " << id << " does not fit";
  }

  SlurmState state;

 private:
  std::map<uint32_t, std::vector<size_t>> nodes_of_;  ///< by partition
  std::map<int64_t, std::vector<size_t>> node_of_;    ///< by job
};

/// Lets the simulation ask `decide` instead of a mapper that remembers: every decision is made by a
/// dispatcher that was just started.
class Dispatching : public schedule::Mapper {
 public:
  Dispatching(const Workload& workload, const Mapping& mapping) : slurm_(workload) {
    options_.mapping = mapping;
    options_.partitions = partition_names(workload.machine.io_nodes.size());
    for (const schedule::IoNode& io_node : workload.machine.io_nodes)
      options_.bandwidth.push_back(io_node.bandwidth);
  }

  void start_jobs(Time now, schedule::Floor& floor) override {
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      std::vector<uint32_t> still;
      for (const schedule::Floor::Running& running : floor.running(p)) still.push_back(running.job);
      for (uint32_t job : running_[p]) {
        if (std::count(still.begin(), still.end(), job) == 0) slurm_.end(job + 1);
      }
      running_[p] = still;
    }
    Decision decision = decide(slurm_.state, options_, morning * second + now);
    EXPECT_TRUE(decision.left_out.empty());
    for (const JobNote& planned : decision.planned)
      slurm_.job(planned.job).admin_comment = note_text(planned.note);
    for (const JobNote& start : decision.starts) {
      uint32_t p = *start.note.io_node;
      auto job = static_cast<uint32_t>(start.job - 1);
      slurm_.run(start.job, p, morning + now / second);
      slurm_.job(start.job).admin_comment = note_text(start.note);
      floor.start(job, p, now);
      running_[p].push_back(job);
    }
    plans += decision.planned.empty() ? 0 : 1;
  }

  size_t plans = 0;

 private:
  FakeSlurm slurm_;
  DispatchOptions options_;
  std::map<uint32_t, std::vector<uint32_t>> running_;
};

/// Whole seconds, as Slurm knows when jobs started.
Workload random_workload(uint64_t number, bool uniform) {
  std::mt19937_64 random(number);
  auto below = [&random](uint64_t end) { return static_cast<uint32_t>(random() % end); };
  Workload workload{schedule::Machine::uniform(1 + below(4), 8 + below(9)), {}};
  if (!uniform) {
    for (schedule::IoNode& io_node : workload.machine.io_nodes) io_node = {8 + below(8), 1.0 + below(2)};
  }
  for (int64_t id = 0; id < 25; ++id) {
    schedule::Job job{.id = id, .nodes = 1 + below(8)};
    job.add_block({{(1 + below(30)) * second, 2.0 * below(20)}}, 1 + below(5));
    workload.jobs.push_back(job);
  }
  return workload;
}

TEST(Dispatch, DecidesAsTheSimulationDoesThoughItRemembersNothing) {
  for (uint64_t number = 0; number < test_rounds(60u); ++number) {
    Workload workload = random_workload(number, number % 3 != 0);
    for (Mapping mapping : {Mapping{MappingKind::first_fit}, Mapping{MappingKind::make_pack, 1},
                            Mapping{MappingKind::make_pack, 1.5}, Mapping{MappingKind::easy, 1},
                            Mapping{MappingKind::easy, 1.5}}) {
      schedule::Discipline discipline = schedule::by_policy("stretch");
      schedule::Outcome simulated = schedule::simulate(workload, {discipline, mapping});
      Dispatching dispatching(workload, mapping);
      std::vector<schedule::Placement> live = schedule::run(workload, discipline, dispatching);
      for (size_t j = 0; j < live.size(); ++j) {
        ASSERT_EQ(live[j].partition, simulated.placements[j].partition) << number << " job " << j;
        ASSERT_EQ(live[j].start, simulated.placements[j].start) << number << " job " << j;
      }
      EXPECT_EQ(dispatching.plans, mapping.kind == MappingKind::easy ? 0U : 1U);
    }
  }
}

/// How long a pack takes of which only a part still runs is not known, so this is close, not the same.
TEST(Dispatch, BackfillRunsEveryJobAndIsAsGood) {
  double ratio = 0;
  for (uint64_t number = 0; number < 30; ++number) {
    Workload workload = random_workload(number, true);
    Mapping mapping{MappingKind::backfill, 1};
    schedule::Discipline discipline = schedule::by_policy("fifo");
    Dispatching dispatching(workload, mapping);
    Time live = 0;
    for (const schedule::Placement& placement : schedule::run(workload, discipline, dispatching))
      live = std::max(live, placement.end);
    ratio += static_cast<double>(live) /
             static_cast<double>(schedule::simulate(workload, {discipline, mapping}).makespan) / 30;
  }
  EXPECT_LT(ratio, 1.05);
}

class DispatchOfTwo : public testing::Test {
 protected:
  /// Two partitions of 4 nodes; job 1 (4 nodes, 10 s), 2 (2 nodes, 9 s), 3 (2 nodes, 8 s), 4 (1 node, 7 s)
  DispatchOfTwo()
      : slurm_({schedule::Machine::uniform(2, 4),
                {schedule::sample_job(0, {{10, 0}}, 4), schedule::sample_job(1, {{9, 0}}, 2),
                 schedule::sample_job(2, {{8, 0}}, 2), schedule::sample_job(3, {{7, 0}}, 1)}}) {
    options_.partitions = partition_names(2);
    options_.mapping.kind = MappingKind::make_pack;
  }

  Decision look(int64_t seconds = 0) { return decide(slurm_.state, options_, (morning + seconds) * second); }
  void write(const std::vector<JobNote>& notes) {
    for (const JobNote& note : notes) slurm_.job(note.job).admin_comment = note_text(note.note);
  }
  static std::vector<int64_t> started(const Decision& decision) {
    std::vector<int64_t> ids;
    for (const JobNote& start : decision.starts) ids.push_back(start.job);
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  using Ids = std::vector<int64_t>;

  FakeSlurm slurm_;
  DispatchOptions options_;
};

TEST_F(DispatchOfTwo, PacksAreMadeOnceAndWrittenDown) {
  Decision first = look();
  EXPECT_EQ(first.packs, 3U);  // {1}, {2, 3}, {4}
  EXPECT_EQ(first.planned.size(), 4U);
  EXPECT_EQ(started(first), (Ids{1, 2, 3}));
  EXPECT_EQ(first.waiting, 4U);
  for (const JobNote& planned : first.planned) EXPECT_FALSE(planned.note.io_node);
  write(first.planned);
  EXPECT_EQ(slurm_.job(4).admin_comment, "refrain/1 pack=3 on=io1 by=make-pack/1");
  Decision again = look();
  EXPECT_TRUE(again.planned.empty());
  EXPECT_EQ(started(again), (Ids{1, 2, 3}));
}

TEST_F(DispatchOfTwo, WhoDiedWhileStartingAPackIsFollowedByTheNext) {
  Decision first = look();
  write(first.planned);
  for (const JobNote& start : first.starts) {
    if (start.job != 2) continue;
    write({start});
    slurm_.run(2, *start.note.io_node, morning);
  }
  EXPECT_EQ(started(look(1)), (Ids{1, 3}));
}

TEST_F(DispatchOfTwo, ReleasedJobsThatSlurmHasNotStartedYetHaveTheirNodes) {
  Decision first = look();
  write(first.planned);
  write(first.starts);
  for (const JobNote& start : first.starts) {
    slurm_.job(start.job).held_by_user = false;
    slurm_.job(start.job).partition = start.note.partition;
  }
  Decision next = look(1);
  EXPECT_TRUE(next.starts.empty());
  EXPECT_EQ(next.running, 3U);
  EXPECT_EQ(next.waiting, 1U);
  // Unless Slurm found that it can't start one of them there.
  for (int64_t id : {2, 3}) slurm_.job(id).kept_back = true;
  EXPECT_EQ(started(look(1)), Ids{4});
}

TEST_F(DispatchOfTwo, NewJobsJoinWhatHasNotBegun) {
  Decision first = look();
  write(first.planned);
  for (const JobNote& start : first.starts) {
    write({start});
    slurm_.run(start.job, *start.note.io_node, morning);
  }
  slurm_.add(schedule::sample_job(9, {{7, 0}}, 3), 10);
  Decision next = look(2);
  EXPECT_TRUE(next.starts.empty());
  EXPECT_EQ(next.packs, 1U);
  ASSERT_EQ(next.planned.size(), 1U);  // job 4 keeps its note
  EXPECT_EQ(note_text(next.planned[0].note), "refrain/1 pack=3 on=io1 by=make-pack/1");
  write(next.planned);
  slurm_.end(2);
  slurm_.end(3);
  EXPECT_EQ(started(look(11)), (Ids{4, 10}));
}

TEST_F(DispatchOfTwo, AnotherMappingMakesItsOwnPacks) {
  write(look().planned);
  options_.mapping = {MappingKind::first_fit};
  Decision other = look();
  EXPECT_EQ(other.planned.size(), 4U);
  options_.mapping = {MappingKind::easy, 1};
  EXPECT_TRUE(look().planned.empty());
  EXPECT_EQ(started(look()), (Ids{1, 2, 3}));
}

TEST_F(DispatchOfTwo, OthersTakeNodesAndBandwidth) {
  SlurmJob other{.id = 90, .state = SlurmJobState::pending, .nodes = 2, .partition = "queue"};
  slurm_.state.jobs.push_back(other);
  slurm_.run(90, 0, morning);
  slurm_.job(90).latest_end = morning + 1000;
  // Job 1 needs all of a partition, so it takes the free one; 2 goes beside the stranger.
  options_.mapping = {MappingKind::easy, 1};
  Decision decision = look(1);
  EXPECT_EQ(decision.others, 1U);
  EXPECT_EQ(started(decision), (Ids{1, 2}));
  // A pack waits for its nodes, not for the end of a stranger.
  options_.mapping = {MappingKind::make_pack, 1};
  decision = look(1);
  for (const JobNote& start : decision.starts) EXPECT_EQ(start.note.io_node, 1U);
}

TEST_F(DispatchOfTwo, StrangersCountWithTheLoadTheyAreTakenToHave) {
  slurm_.state.jobs.clear();
  slurm_.add(schedule::sample_job(1, {{4, 6}}, 1), 1);  // load 0.6
  for (int64_t id : {90, 91}) {
    slurm_.state.jobs.push_back(
        {.id = id, .state = SlurmJobState::pending, .nodes = 1, .partition = "queue"});
    slurm_.run(id, static_cast<uint32_t>(id - 90), morning);
  }
  options_.mapping = {MappingKind::easy, 1};
  options_.bandwidth = {1};
  options_.load_of_others = 0.4;
  EXPECT_EQ(started(look(1)), Ids{1});
  options_.load_of_others = 0.5;
  EXPECT_EQ(started(look(1)), Ids{});
}

TEST_F(DispatchOfTwo, JobsThatMayNotStartAreLeftAlone) {
  options_.mapping = {MappingKind::easy, 1};
  slurm_.job(1).depends = true;
  slurm_.job(2).eligible = morning + 100;
  slurm_.job(3).held_by_user = false;  // by an operator
  slurm_.job(4).ordinary = false;
  Decision decision = look();
  EXPECT_TRUE(decision.starts.empty());
  EXPECT_EQ(decision.waiting, 0U);
  ASSERT_EQ(decision.left_out.size(), 1U);
  EXPECT_EQ(decision.left_out[0].job, 4);
  EXPECT_EQ(started(look(100)), Ids{2});
}

TEST_F(DispatchOfTwo, NodesThatDontWorkAreNotThere) {
  options_.mapping = {MappingKind::easy, 1};
  for (size_t node : {0U, 4U}) slurm_.state.nodes[node].use = NodeUse::unusable;
  Decision decision = look();
  ASSERT_EQ(decision.left_out.size(), 1U);
  EXPECT_EQ(decision.left_out[0].reason, "needs 4 nodes; the largest partition has 3 that work");
  EXPECT_EQ(started(decision), (Ids{2, 3, 4}));
}

TEST_F(DispatchOfTwo, PacksThatDontFitAnyMoreAreMadeAnew) {
  Decision first = look();
  write(first.planned);
  for (size_t node : {0U, 4U, 5U}) slurm_.state.nodes[node].use = NodeUse::unusable;
  Decision next = look();
  EXPECT_FALSE(next.planned.empty());
  EXPECT_EQ(started(next), (Ids{2, 3}));
}

TEST_F(DispatchOfTwo, ProfilesThatLieStopNobodyElse) {
  options_.mapping = {MappingKind::easy, 1};
  options_.bandwidth = {1};
  slurm_.job(1).comment = "refrain/1 nodes=4 phases=1+1e300";
  slurm_.job(2).comment = "refrain/1 nodes=99999999 bandwidth=1e308 phases=1+1";
  slurm_.job(3).comment = "refrain/1 nodes=2 phases=900000x31+1";
  Decision decision = look();
  EXPECT_EQ(started(decision), (Ids{2, 3, 4}));
  ASSERT_EQ(decision.left_out.size(), 1U);
  EXPECT_EQ(decision.left_out[0].job, 1);
}

TEST_F(DispatchOfTwo, NotesOfStartsSayWhoCoordinates) {
  options_.mapping = {MappingKind::easy, 1.5};
  options_.coordinator = "tcp://10.0.0.1:7000";
  Decision decision = look();
  ASSERT_FALSE(decision.starts.empty());
  EXPECT_EQ(note_text(decision.starts[0].note),
            "refrain/1 on=io0 by=easy/1.5 io-node=0 coordinator=tcp://10.0.0.1:7000");
}

/// Jobs and nodes that need not agree with each other, as two looks at a busy machine don't.
SlurmState random_state(std::mt19937_64& random) {
  auto below = [&random](uint64_t end) { return static_cast<uint32_t>(random() % end); };
  SlurmState state;
  uint32_t partitions = 1 + below(3);
  for (uint32_t n = 0; n < 30; ++n) {
    state.nodes.push_back({fmt::format("n{}", n),
                           {fmt::format("io{}", below(partitions)), "queue"},
                           static_cast<NodeUse>(below(3))});
  }
  for (int64_t id = 1; id <= 20; ++id) {
    SlurmJob job{.id = id, .state = static_cast<SlurmJobState>(below(2)), .nodes = below(12)};
    job.held_by_user = job.state == SlurmJobState::pending && below(3) > 0;
    job.depends = below(9) == 0;
    job.has_dependency = job.depends || below(9) == 0;
    job.partition = below(2) == 0 ? "queue" : fmt::format("io{}", below(4));
    if (job.state == SlurmJobState::running)
      job.node_list = fmt::format("n[{}-{}]", below(15), 15 + below(20));
    job.start = below(2) * (morning - below(100));
    job.latest_end = below(2) * (morning + below(1000));
    if (below(4) > 0)
      job.comment =
          fmt::format("refrain/1 nodes={} phases={}x{}+{}", 1 + below(9), 1 + below(3), below(50), below(50));
    DispatchNote note{.pack = below(5), .partition = fmt::format("io{}", below(4)), .mapping = "make-pack/1"};
    if (below(2) == 0) note.io_node = below(4);
    if (below(2) == 0) job.admin_comment = note_text(note);
    state.jobs.push_back(job);
  }
  return state;
}

TEST(Dispatch, StartsOnlyWhatIsHeldOnNodesThatAreIdle) {
  std::mt19937_64 random(11);
  for (int round = 0; round < test_rounds(1500); ++round) {
    SlurmState state = random_state(random);
    DispatchOptions options{.partitions = partition_names(1 + random() % 3), .bandwidth = {1}};
    for (MappingKind kind :
         {MappingKind::first_fit, MappingKind::make_pack, MappingKind::backfill, MappingKind::easy}) {
      options.mapping = {kind, 1};
      Decision decision = decide(state, options, morning * second);
      std::map<std::string, uint32_t> idle;
      for (const SlurmNode& node : state.nodes) idle[node.partitions[0]] += node.use == NodeUse::idle ? 1 : 0;
      std::map<int64_t, int> started;
      for (const JobNote& start : decision.starts) {
        const SlurmJob& job = state.jobs[static_cast<size_t>(start.job - 1)];
        EXPECT_TRUE(job.held_by_user && !job.depends);
        EXPECT_EQ(++started[start.job], 1);
        uint32_t nodes = job.nodes > 0 ? job.nodes : read_profile(job.comment)->job.nodes;
        ASSERT_LE(nodes, idle[start.note.partition]) << round;
        idle[start.note.partition] -= nodes;
      }
    }
  }
}

TEST(Dispatch, PartitionsMustNotShareNodes) {
  SlurmState state;
  state.nodes = {{"a", {"x", "all"}, NodeUse::idle}, {"b", {"y", "all"}, NodeUse::idle}};
  EXPECT_FALSE(disjoint_partitions(state));
  EXPECT_TRUE(check_partitions(state, {"y", "x"}));
  EXPECT_FALSE(check_partitions(state, {"x", "all"}));
  EXPECT_FALSE(check_partitions(state, {"x", "z"}));
  EXPECT_FALSE(check_partitions(state, {"x", "x"}));
  for (SlurmNode& node : state.nodes) node.partitions.pop_back();
  EXPECT_EQ(*disjoint_partitions(state), (std::vector<std::string>{"x", "y"}));
  EXPECT_FALSE(disjoint_partitions({}));
}

}  // namespace
}  // namespace refrain::coordinate
