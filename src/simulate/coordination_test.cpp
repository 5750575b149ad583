// Applications that take turns: whose leases, and when, on SimGrid.
#include "simulate/coordination.hpp"

#include "simulate/sample_run.hpp"

namespace refrain::simulate {
namespace {

using namespace sample;

/// Whether no two applications had a lease of the same I/O node at the same time.
bool is_exclusive(const std::vector<Lease>& leases) {
  for (const Lease& a : leases)
    for (const Lease& b : leases)
      if (a.application != b.application && a.io_node == b.io_node && a.start_s < b.end_s &&
          b.start_s < a.end_s)
        return false;
  return true;
}

SimulationOptions coordinated(const char* policy) {
  return {.policy = *schedule::find_policy(policy), .idle_s = 0.5};
}

TEST(Simulate, CoordinatedApplicationsTakeTurns) {
  // Both want to write 1000 bytes at 2 s: the first does until 12 s, the second until 22 s.
  trace::Trace one = application(1, {opened(), written(number(0), number(1000), 2)});
  Outcome outcome = run_all(plain_machine(), {one, one}, coordinated("fifo"));
  EXPECT_DOUBLE_EQ(outcome.applications[0].end_s, 12);
  EXPECT_DOUBLE_EQ(outcome.applications[1].end_s, 22);
  EXPECT_DOUBLE_EQ(outcome.applications[1].waited_s, 10);
  EXPECT_EQ(outcome.leases, (std::vector<Lease>{{0, 0, 2, 12}, {1, 0, 12, 22}}));
}

TEST(Simulate, ALeaseLastsUntilCachesAreEmpty) {
  Machine machine = plain_machine();
  machine.cache_bytes = 1500;
  machine.cache_bandwidth = 1000;
  // Each writes its data into its cache within a second, from which it takes 10 s to the target.
  trace::Trace one = application(1, {opened(), written(number(0), number(1000))});
  Outcome outcome = run_all(machine, {one, one}, coordinated("fifo"));
  EXPECT_DOUBLE_EQ(outcome.applications[0].end_s, 1);
  EXPECT_DOUBLE_EQ(outcome.applications[1].end_s, 11);
  EXPECT_EQ(outcome.leases, (std::vector<Lease>{{0, 0, 0, 10}, {1, 0, 10, 20}}));
}

TEST(Simulate, ALeaseEndsAfterARest) {
  // 4 s of I/O, 3 s of compute, 1 s of I/O: the other gets its turn half a second after the first burst.
  trace::Trace two =
      application(1, {opened(), written(number(0), number(400)), written(number(400), number(100), 3)});
  trace::Trace one = application(1, {opened(), written(number(0), number(100), 1)});
  Outcome outcome = run_all(plain_machine(), {two, one}, coordinated("fifo"));
  EXPECT_DOUBLE_EQ(outcome.applications[1].end_s, 4 + 0.5 + 1);
  EXPECT_DOUBLE_EQ(outcome.applications[0].end_s, 8);
  EXPECT_TRUE(is_exclusive(outcome.leases));
}

TEST(Simulate, NoTwoApplicationsAreOnAnIoNode) {
  Machine machine = plain_machine(12, 3);
  machine.io_nodes = 3;  // four nodes behind each
  machine.io_node_bandwidth = 60;
  // On nodes 0..5, 6..8 and 9..10: the first two meet on I/O node 1, the last two on I/O node 2.
  auto made = [](uint32_t ranks, int64_t bytes, double gap_s) {
    return application(
        ranks, {opened(), loop(number(12), {written(ranked(0, bytes, {bytes * ranks}), number(bytes), gap_s),
                                            waited()})});
  };
  std::vector<trace::Trace> traces{made(6, 20, 1.5), made(3, 70, 2), made(2, 50, 0.75)};
  for (const schedule::Policy& policy : schedule::policies()) {
    Outcome outcome = run_all(machine, traces, coordinated(std::string(policy.name).c_str()));
    EXPECT_TRUE(is_exclusive(outcome.leases)) << policy.name;
    EXPECT_GT(outcome.leases.size(), 40U) << policy.name;
    EXPECT_EQ(outcome.applications[0].volume.bytes_written, 12U * 6 * 20);
    EXPECT_EQ(outcome, run_all(machine, traces, coordinated(std::string(policy.name).c_str())));
  }
}

TEST(Simulate, ApplicationsHaveToFit) {
  trace::Trace trace = application(100, {opened(), written(number(0), number(10))});
  Result<Program> program = make_program(trace, {});
  ASSERT_TRUE(program);
  Machine machine = plain_machine(10);
  Result<Outcome> outcome = simulate(machine, {{.name = "big", .program = &*program}}, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().text(),
            "big: 100 ranks need 100 nodes from node 0 on; the machine has 10 nodes with 1 ranks each");
}
}  // namespace
}  // namespace refrain::simulate
