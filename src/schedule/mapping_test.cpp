// Packs and placements worked out by hand, for each mapping.
#include "schedule/mapping.hpp"

#include <gtest/gtest.h>

#include "base/test_rounds.hpp"
#include "schedule/generate.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::schedule {
namespace {

using Groups = std::vector<std::vector<uint32_t>>;

Groups packs_of(const Workload& workload, double sensibility) {
  Groups groups;
  for (const Pack& pack : make_packs(workload, Costs(workload), sensibility)) groups.push_back(pack.jobs);
  return groups;
}

struct Row {
  double start, end;
  bool operator==(const Row&) const = default;
};

std::vector<Row> rows(const Workload& workload, const Mapping& mapping) {
  std::vector<Row> rows;
  for (const Placement& p : simulate(workload, {by_policy("fifo"), mapping}).placements) {
    rows.push_back({in_seconds(p.start), in_seconds(p.end)});
  }
  return rows;
}

std::vector<uint32_t> partitions(const Workload& workload, const Mapping& mapping) {
  std::vector<uint32_t> partitions;
  for (const Placement& p : simulate(workload, {by_policy("fifo"), mapping}).placements) {
    partitions.push_back(p.partition);
  }
  return partitions;
}

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.start << " to " << row.end; }

/// The example of packs.cpp: (nodes, T, I/O) = (4, 100, 60), (2, 90, 50), (2, 80, 30), (4, 70, 5).
Workload four_jobs() {
  return {Machine::uniform(1, 8),
          {sample_job(0, {{40, 60}}, 4), sample_job(1, {{40, 50}}, 2), sample_job(2, {{50, 30}}, 2),
           sample_job(3, {{65, 5}}, 4)}};
}

TEST(Mapping, MakePackKeepsNodesAndIoWithinBounds) {
  EXPECT_EQ(packs_of(four_jobs(), 1), (Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(packs_of(four_jobs(), 1.1), (Groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(packs_of(four_jobs(), any_load), (Groups{{0, 1, 2}, {3}}));
}

TEST(Mapping, MakePackTakesAnyJobIntoANewPack) {
  EXPECT_EQ(packs_of(four_jobs(), 0.01), (Groups{{0}, {1}, {2}, {3}}));
}

TEST(Mapping, PacksAreTriedFromTheFullest) {
  // 0 and 1 don't fit together; 2 could join either, and joins 1, which uses more nodes.
  Workload three{Machine::uniform(1, 8),
                 {sample_job(0, {{10, 0}}, 3), sample_job(1, {{9, 0}}, 6), sample_job(2, {{8, 0}}, 2)}};
  EXPECT_EQ(packs_of(three, 1), (Groups{{0}, {1, 2}}));
}

TEST(Mapping, AJobMayFillAPartition) {
  Workload two{Machine::uniform(1, 8), {sample_job(0, {{10, 0}}, 8), sample_job(1, {{9, 0}}, 1)}};
  EXPECT_EQ(packs_of(two, 1), (Groups{{0}, {1}}));
  std::vector<Row> after = {{0, 10}, {10, 19}};
  EXPECT_EQ(rows(two, {MappingKind::make_pack}), after);
  EXPECT_EQ(rows(two, {MappingKind::first_fit}), after);
  EXPECT_EQ(rows(two, {MappingKind::backfill}), after);
  EXPECT_EQ(rows(two, {MappingKind::easy}), after);
  EXPECT_EQ(rows(two, {MappingKind::portfolio}), after);
}

TEST(Mapping, EqualJobsStandByTheirIds) {
  Workload equal{Machine::uniform(1, 2), {}};
  for (int id = 0; id < 4; ++id) equal.jobs.push_back(sample_job(id, {{5, 0}}));
  EXPECT_EQ(packs_of(equal, 1), (Groups{{0, 1}, {2, 3}}));
}

TEST(Mapping, PacksRunOneAfterAnother) {
  // Pack {0, 2}: 0 writes from 40 to 100, 2 asks at 50 and writes from 100 to 130. Pack {1, 3} begins at 130.
  EXPECT_EQ(rows(four_jobs(), {MappingKind::make_pack, 1}),
            (std::vector<Row>{{0, 100}, {130, 220}, {0, 130}, {130, 225}}));
  // {0, 1, 2}: 0 writes 40-100, then 1 (asked at 40) 100-150, then 2 150-180; then {3}.
  EXPECT_EQ(rows(four_jobs(), {MappingKind::first_fit}),
            (std::vector<Row>{{0, 100}, {0, 150}, {0, 180}, {180, 250}}));
}

TEST(Mapping, SensibilityMayBeTheLoadOfTheWorkload) {
  Workload workload = four_jobs();
  // 8 * 145 / (400 + 180 + 160 + 280)
  EXPECT_NEAR(io_load(workload), 8.0 * 145 / 1020, 1e-12);
  EXPECT_EQ(rows(workload, {MappingKind::make_pack, 1, true}),
            rows(workload, {MappingKind::make_pack, 1.13}));
}

TEST(Mapping, LongestPacksArePlacedFirstWhereTheyEndEarliest) {
  Workload jobs{Machine::uniform(2, 1), {}};
  for (int length : {5, 9, 7, 3, 4}) {
    jobs.jobs.push_back(sample_job(static_cast<int64_t>(jobs.jobs.size()), {{length, 0}}));
  }
  // 9 | 7; 5 behind 7: 9 | 12; 4 behind 9: 13 | 12; 3 behind 12: 13 | 15
  EXPECT_EQ(partitions(jobs, {MappingKind::make_pack}), (std::vector<uint32_t>{1, 0, 1, 1, 0}));
  EXPECT_EQ(rows(jobs, {MappingKind::make_pack}),
            (std::vector<Row>{{7, 12}, {0, 9}, {0, 7}, {12, 15}, {9, 13}}));
}

TEST(Mapping, PacksGoWhereTheyFit) {
  Workload two{Machine{{{2, 1.0}, {8, 1.0}}}, {sample_job(0, {{10, 0}}, 8), sample_job(1, {{9, 0}}, 1)}};
  EXPECT_EQ(partitions(two, {MappingKind::make_pack}), (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(partitions(two, {MappingKind::easy}), (std::vector<uint32_t>{1, 0}));
}

TEST(Mapping, PacksWaitForTheReleaseOfTheirJobs) {
  Workload two{Machine::uniform(1, 2), {sample_job(0, {{5, 0}}), sample_job(1, {{4, 0}}, 1, 3)}};
  EXPECT_EQ(rows(two, {MappingKind::make_pack}), (std::vector<Row>{{3, 8}, {3, 7}}));
  EXPECT_EQ(rows(two, {MappingKind::easy}), (std::vector<Row>{{0, 5}, {3, 7}}));
}

/// Packs {0, 1} and {2, 3}. When 1 ends at 9, 3 (T = 1) should end before 0 does, 2 (T = 8) would not.
TEST(Mapping, BackfillLetsJobsAheadThatEndBeforeThePack) {
  Workload jobs{
      Machine::uniform(1, 2),
      {sample_job(0, {{10, 0}}), sample_job(1, {{9, 0}}), sample_job(2, {{8, 0}}), sample_job(3, {{1, 0}})}};
  EXPECT_EQ(rows(jobs, {MappingKind::make_pack}), (std::vector<Row>{{0, 10}, {0, 9}, {10, 18}, {10, 11}}));
  EXPECT_EQ(rows(jobs, {MappingKind::backfill}), (std::vector<Row>{{0, 10}, {0, 9}, {10, 18}, {9, 10}}));
}

/// 1 s of I/O would be too much for the second that is left under S = 0.5.
TEST(Mapping, BackfillKeepsIoWithinTheSensibility) {
  Workload jobs{
      Machine::uniform(1, 2),
      {sample_job(0, {{10, 0}}), sample_job(1, {{9, 0}}), sample_job(2, {{8, 0}}), sample_job(3, {{0, 1}})}};
  EXPECT_EQ(rows(jobs, {MappingKind::backfill, 0.5})[3], (Row{10, 11}));
  EXPECT_EQ(rows(jobs, {MappingKind::backfill, 1})[3], (Row{9, 10}));
}

/// As in easy.cpp: A (6 nodes, load 0.5) runs until 100. B (4 nodes, T = 30, load 0.8) is blocked and
/// reserved for 100; C (2 nodes, T = 9, load 0.33) ends before that; D (2 nodes, T = 200) would not.
Workload reserved(int d_compute, int d_io) {
  return {Machine::uniform(1, 8),
          {sample_job(0, {{50, 50}}, 6), sample_job(1, {{6, 24}}, 4, 1), sample_job(2, {{6, 3}}, 2, 1),
           sample_job(3, {{d_compute, d_io}}, 2, 200)}};
}

TEST(Mapping, EasyReservesForTheFirstThatIsBlocked) {
  // C writes from 7 to 10 while A computes until 50. B starts when A has ended.
  EXPECT_EQ(rows(reserved(1, 0), {MappingKind::easy}),
            (std::vector<Row>{{0, 100}, {100, 130}, {1, 10}, {200, 201}}));
}

/// E (6 nodes, until 100) and F (5 nodes, T = 90), which is blocked and reserved for 100, leave 3 nodes and a
/// load of 0.5. G (2 nodes, T = 80, released later) runs past 100: with a load of 0.5 it may, with more not.
TEST(Mapping, EasyLetsJobsPassThatFitBesideTheReservation) {
  auto start_of_g = [](int compute, int io) {
    Workload three{Machine::uniform(1, 8),
                   {sample_job(0, {{100, 0}}, 6), sample_job(1, {{45, 45}}, 5, 1),
                    sample_job(2, {{compute, io}}, 2, 50)}};
    return rows(three, {MappingKind::easy})[2].start;
  };
  EXPECT_EQ(start_of_g(40, 40), 50);
  EXPECT_EQ(start_of_g(39, 41), 190);
}

TEST(Mapping, EasyStartsJobsOnTheLeastLoadedPartition) {
  Workload three{Machine::uniform(2, 8),
                 {sample_job(0, {{5, 5}}), sample_job(1, {{6, 3}}), sample_job(2, {{6, 1}})}};
  // 0 (load 0.5) on 0, 1 (0.33) on 1, 2 joins 1.
  EXPECT_EQ(partitions(three, {MappingKind::easy}), (std::vector<uint32_t>{0, 1, 1}));
}

TEST(Mapping, EasyKeepsTheLoadWithinTheSensibility) {
  Workload two{Machine::uniform(1, 8), {sample_job(0, {{4, 6}}), sample_job(1, {{4, 5}})}};
  EXPECT_EQ(rows(two, {MappingKind::easy, 1})[1].start, 10);
  EXPECT_EQ(rows(two, {MappingKind::easy, 1.2})[1].start, 0);
}

TEST(Mapping, AnEmptyPartitionTakesAnyJob) {
  Workload one{Machine::uniform(1, 8), {sample_job(0, {{0, 6}})}};
  EXPECT_EQ(rows(one, {MappingKind::easy, 0.5})[0], (Row{0, 6}));
}

TEST(Mapping, PortfolioIsNeverWorseThanMakePack) {
  for (uint64_t number = 0; number < test_rounds(6u); ++number) {
    Workload workload = generate({.io_nodes = 3, .load = 3, .jobs = 12, .number = number});
    Outcome pack = simulate(workload, {by_policy("fifo"), {}});
    Outcome best = simulate(workload, {by_policy("fifo"), {MappingKind::portfolio}});
    EXPECT_LE(best.makespan, pack.makespan);
    EXPECT_LE(best.max_stretch, pack.max_stretch);
    EXPECT_LE(best.mean_stretch, pack.mean_stretch);
  }
}

TEST(Mapping, EveryJobRunsOnceWithinItsPartition) {
  for (uint64_t number = 0; number < test_rounds(20u); ++number) {
    Workload workload =
        generate({.io_nodes = 2, .nodes_per_io_node = 64, .load = 2, .jobs = 20, .number = number});
    for (size_t j = 0; j < workload.jobs.size(); ++j)
      workload.jobs[j].release = static_cast<Time>(j * 5000) * second;
    for (const MappingName& row : mapping_names()) {
      Outcome outcome = simulate(workload, {by_policy("stretch"), {row.kind, 1.2}});
      EXPECT_GE(outcome.makespan, outcome.bounds.best()) << row.name;
      for (uint32_t j = 0; j < workload.jobs.size(); ++j) {
        const Placement& placement = outcome.placements[j];
        ASSERT_GE(placement.start, workload.jobs[j].release) << row.name;
        ASSERT_GE(outcome.stretches[j], 1) << row.name;
        uint64_t nodes = 0;  // in use when the job starts
        for (uint32_t k = 0; k < workload.jobs.size(); ++k) {
          const Placement& other = outcome.placements[k];
          bool beside = other.partition == placement.partition && other.start <= placement.start &&
                        other.end > placement.start;
          if (beside) nodes += workload.jobs[k].nodes;
        }
        ASSERT_LE(nodes, 64U) << row.name << " job " << j;
      }
    }
  }
}

TEST(Mapping, BoundsOfFourJobs) {
  LowerBounds bounds = lower_bounds(four_jobs());
  EXPECT_EQ(bounds.area, from_seconds(1020.0 / 8));
  EXPECT_EQ(bounds.io, 145 * second);
  EXPECT_EQ(bounds.longest, 100 * second);
  EXPECT_EQ(bounds.best(), 145 * second);
}

/// The example of lower_bounds.cpp, on two partitions: 30 s of partitions.
TEST(LowerBounds, ThinkOfWhatAJobThatFillsAPartitionLeavesUnused) {
  Workload three{Machine::uniform(2, 8),
                 {sample_job(0, {{10, 0}}, 8), sample_job(1, {{0, 10}}, 4), sample_job(2, {{0, 10}}, 4)}};
  LowerBounds bounds = lower_bounds(three);
  EXPECT_EQ(bounds.area, 10 * second);
  EXPECT_EQ(bounds.io, 10 * second);
  EXPECT_EQ(bounds.filling, 15 * second);
  EXPECT_EQ(bounds.best(), 15 * second);
}
TEST(LowerBounds, AreZeroWithoutJobs) { EXPECT_EQ(lower_bounds({Machine::uniform(2, 8), {}}).best(), 0); }

TEST(Mapping, NodeTimeAddsUpToTheMakespan) {
  Outcome outcome = simulate(four_jobs(), {by_policy("fifo"), {}});
  EXPECT_EQ(outcome.makespan, 225 * second);
  EXPECT_NEAR(outcome.node_time.exec, 1020.0 / 8, 1e-9);
  EXPECT_NEAR(outcome.node_time.delay, (2 * 50 + 4 * 25) / 8.0, 1e-9);
  EXPECT_NEAR(outcome.node_time.exec + outcome.node_time.idle + outcome.node_time.delay, 225, 1e-9);
  EXPECT_NEAR(outcome.max_stretch, 130.0 / 80, 1e-12);
  EXPECT_NEAR(outcome.pack_stretch, (130.0 / 80 + 95.0 / 70) / 2, 1e-12);
  EXPECT_EQ(outcome.packs.size(), 2U);
}

TEST(Mapping, NamesAreFoundAndOthersRefused) {
  for (const MappingName& row : mapping_names()) EXPECT_EQ(*find_mapping(row.name), row.kind);
  EXPECT_FALSE(find_mapping("best-fit"));
  EXPECT_EQ(mapping_text({MappingKind::easy, 1.5}), "easy S=1.5");
  EXPECT_EQ(mapping_text({MappingKind::make_pack, 1, true}), "make-pack S=alpha");
}

}  // namespace
}  // namespace refrain::schedule
