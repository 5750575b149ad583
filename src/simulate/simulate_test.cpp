// Whole simulations whose times can be computed by hand, on SimGrid.
#include "simulate/simulate.hpp"

#include <gtest/gtest.h>

#include "simulate/sample_run.hpp"
#include "simulate/world.hpp"

namespace refrain::simulate {
namespace {

using namespace sample;

TEST(Simulate, ASingleWriterGetsTheSlowestStage) {
  trace::Trace trace = application(1, {opened(), written(number(0), number(1000))});
  Machine machine = plain_machine();
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 10);
  machine.server_bandwidth = 50;
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 20);
  machine.network_bandwidth = 40;
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 25);
  machine.node_bandwidth = 20;
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 50);
  machine.io_nodes = 2;
  machine.io_node_bandwidth = 10;
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 100);
  machine.rank_bandwidth = 5;
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 200);
}

TEST(Simulate, TwoEqualWritersGetHalfEach) {
  Machine machine = plain_machine();
  trace::Trace one = application(1, {opened(), written(number(0), number(1000))});
  Outcome outcome = run_all(machine, {one, one});
  for (const ApplicationOutcome& a : outcome.applications) EXPECT_DOUBLE_EQ(a.seconds(), 20);
  // Ranks count, not applications: three against one.
  trace::Trace three = application(3, {opened(), written(ranked(0, 1000), number(1000))});
  outcome = run_all(machine, {one, three});
  EXPECT_DOUBLE_EQ(outcome.applications[0].seconds(), 40);
  EXPECT_DOUBLE_EQ(outcome.applications[1].seconds(), 40);
}

TEST(Simulate, AWriterThatComesLaterShares) {
  trace::Trace one = application(1, {opened(), written(number(0), number(1000))});
  // Alone until 5 s; then both at half: the first has 500 left, 10 s; the second goes on alone from 15 s.
  Outcome outcome = run_all(plain_machine(), {one, one}, {}, {0, 5});
  EXPECT_DOUBLE_EQ(outcome.applications[0].end_s, 15);
  EXPECT_DOUBLE_EQ(outcome.applications[1].end_s, 20);
  EXPECT_DOUBLE_EQ(outcome.applications[1].seconds(), 15);
}

TEST(Simulate, StripesWorkAtTheSameTime) {
  // 4 targets, 1000 bytes in stripes of 10: 250 on each.
  EXPECT_DOUBLE_EQ(
      seconds(plain_machine(64, 4), application(1, {opened(), written(number(0), number(1000))})), 2.5);
  // 20 bytes are on two targets only.
  EXPECT_DOUBLE_EQ(seconds(plain_machine(64, 4), application(1, {opened(), written(number(0), number(20))})),
                   0.1);
  // Ranks whose blocks all fall on the same target: 8 times 10 bytes on one of 4.
  EXPECT_DOUBLE_EQ(
      seconds(plain_machine(64, 4), application(8, {opened(), written(ranked(0, 40), number(10))})), 0.8);
}

TEST(Simulate, SeeksOperationsAndUnalignedEndsCost) {
  Machine machine = plain_machine();
  machine.target.operation_s = 1;
  machine.target.seek_s = 5;
  machine.target.unaligned_s = 0.25;
  machine.target.block = 10;
  // A seek to the beginning, then one after the other: 2 times 100 bytes.
  trace::Trace forwards =
      application(1, {opened(), loop(number(2), {written(affine(0, {100}), number(100))})});
  EXPECT_DOUBLE_EQ(seconds(machine, forwards), 2 * (1 + 1) + 5);
  trace::Trace apart = application(1, {opened(), loop(number(2), {written(affine(0, {200}), number(100))})});
  EXPECT_DOUBLE_EQ(seconds(machine, apart), 2 * (1 + 1 + 5));
  trace::Trace unaligned = application(1, {opened(), written(number(5), number(100))});
  EXPECT_DOUBLE_EQ(seconds(machine, unaligned), 1 + 1 + 5 + 0.5);
}

TEST(Simulate, FilesThatSeveralRanksHaveOpenAreSlower) {
  Machine machine = plain_machine();
  machine.target.shared_write_bandwidth = 50;
  trace::Trace shared = application(4, {opened(), written(ranked(0, 100), number(100))});
  trace::Trace own =
      application(4, {call(open_own, {number(1), ranked(0, 1), number(3)}), written(number(0), number(100))});
  trace::Trace alone = application(1, {opened(), written(number(0), number(400))});
  Node first_opens = opened();
  first_opens.ranks = trace::RankSet::range(0, 1);
  Node first_writes = written(number(0), number(400));
  first_writes.ranks = trace::RankSet::range(0, 1);
  trace::Trace by_one = application(4, {first_opens, first_writes, waited()});
  Node together = call(write_together, {number(3), ranked(0, 100), number(100)});
  trace::Trace aggregated = application(4, {call(open_together, {number(0), number(3)}), together});
  for (bool detail : {false, true}) {
    SimulationOptions options{.detail = detail};
    EXPECT_NEAR(seconds(machine, shared, options), 8, 1e-9);
    EXPECT_NEAR(seconds(machine, own, options), 4, 1e-9);
    EXPECT_NEAR(seconds(machine, alone, options), 4, 1e-9);
    EXPECT_NEAR(seconds(machine, by_one, options), 4, 1e-9);
    options.aggregators = 1;
    EXPECT_NEAR(seconds(machine, aggregated, options), 4, 1e-9);
    options.aggregators = 2;
    EXPECT_NEAR(seconds(machine, aggregated, options), 8, 1e-9);
  }
}

TEST(Simulate, MetadataOperationsQueue) {
  Machine machine = plain_machine();
  machine.metadata_rate = 10;
  // 8 opens and 8 closes.
  Outcome outcome = run(machine, application(8, {opened(), call(close, {number(3)})}));
  EXPECT_DOUBLE_EQ(outcome.applications[0].seconds(), 1.6);
  EXPECT_EQ(outcome.applications[0].volume.metadata, 16U);
}

TEST(Simulate, BarriersWaitForTheSlowest) {
  // Rank 0 computes 7 s, the others 2 s; then all write 100 bytes, and nobody before the last is there.
  Node slow = call(stat, {number(0)}, 7);
  slow.ranks = trace::RankSet::range(0, 1);
  Node quick = call(stat, {number(0)}, 2);
  quick.ranks = trace::RankSet::range(1, 3);
  trace::Trace trace =
      application(4, {opened(), slow, quick, waited(), written(ranked(0, 100), number(100))});
  Outcome outcome = run(plain_machine(), trace);
  EXPECT_EQ(outcome.applications[0].groups, 2U);
  EXPECT_DOUBLE_EQ(outcome.applications[0].seconds(), 7 + 4);
  ASSERT_EQ(outcome.applications[0].phases.size(), 1U);
  EXPECT_DOUBLE_EQ(outcome.applications[0].phases[0].start_s, 7);
  EXPECT_DOUBLE_EQ(outcome.applications[0].io_s, 4);
  Machine machine = plain_machine();
  machine.latency_s = 0.5;  // twice for four ranks, once for a metadata call and for a transfer
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 0.5 + 7 + 0.5 + 1 + 0.5 + 4);
}

TEST(Simulate, CollectiveTransfersAreAggregated) {
  Machine machine = plain_machine();
  machine.ranks_per_node = 2;
  machine.target.operation_s = 1;
  machine.node_bandwidth = 50;
  Node together = call(write_together, {number(3), ranked(0, 25), number(25)});
  trace::Trace trace = application(8, {call(open_together, {number(0), number(3)}), together});
  SimulationOptions options{.aggregators = 2, .buffer_bytes = 50};
  // 200 bytes. Three quarters cross the network into two nodes: 150 / 100. Then 4 requests: 2 s at the target
  // and 1 s each; two nodes send 100 bytes per second.
  EXPECT_DOUBLE_EQ(seconds(machine, trace, options), 1.5 + 6);
  // Without: 8 requests that together take 2 + 8 s.
  options.aggregators = 0;
  EXPECT_DOUBLE_EQ(seconds(machine, trace, options), 10);
}

TEST(Simulate, HintsOfTheTraceChooseAggregators) {
  Machine machine = plain_machine();
  machine.target.operation_s = 1;
  auto made = [](std::vector<Node> before) {
    before.push_back(call(open_together, {number(0), number(3)}));
    before.push_back(call(write_together, {number(3), ranked(0, 25), number(25)}));
    return application(8, std::move(before));
  };
  // 200 bytes: 2 s at the target, and a second for each request: 8 nodes, 2 aggregators, pieces of 50.
  EXPECT_DOUBLE_EQ(seconds(machine, made({})), 2 + 7);
  EXPECT_DOUBLE_EQ(seconds(machine, made({hinted(2, 2)})), 2 + 2);
  EXPECT_DOUBLE_EQ(seconds(machine, made({hinted(2, 2), hinted(3, 50)})), 2 + 4);
  // What the command line says counts more.
  EXPECT_DOUBLE_EQ(seconds(machine, made({hinted(2, 2)}), {.aggregators = 4}), 2 + 4);
}

TEST(Simulate, PathsChooseStripes) {
  Machine machine = plain_machine(64, 4);
  machine.striping = {{.pattern = "*.h5", .size = 10, .count = 4},
                      {.pattern = "data", .size = 10, .count = 2}};
  auto made = [](const Node& open) { return application(1, {open, written(number(0), number(1000))}); };
  EXPECT_DOUBLE_EQ(seconds(machine, made(opened())), 5);                                             // "data"
  EXPECT_DOUBLE_EQ(seconds(machine, made(call(open_own, {number(5), number(5), number(3)}))), 2.5);  // "….h5"
  EXPECT_DOUBLE_EQ(seconds(machine, made(call(open_own, {number(1), number(5), number(3)}))), 10);  // no rule
}

TEST(Simulate, CallsTakeAsLongAsRanksWaitInThem) {
  // Rank 0 is there after 7 s and the others after 2; 200 bytes then take 2 s of all.
  Node slow = call(stat, {number(0)}, 7);
  slow.ranks = trace::RankSet::range(0, 1);
  Node quick = call(stat, {number(0)}, 2);
  quick.ranks = trace::RankSet::range(1, 7);
  Node together = call(write_together, {number(3), ranked(0, 25), number(25)});
  trace::Trace trace = application(8, {call(open_together, {number(0), number(3)}), slow, quick, together});
  std::vector<FunctionOutcome> functions = run(plain_machine(), trace).applications[0].functions;
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0], (FunctionOutcome{"MPI_File_write_at_all", 8, 0, 200, 2 + 7 * (5 + 2)}));
  // Loops that are cut short count as often as they turn.
  trace = application(2, {opened(), loop(number(100), {written(ranked(0, 50, {100}), number(50), 2)})});
  functions = run(plain_machine(), trace).applications[0].functions;
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].calls, 200U);
  EXPECT_EQ(functions[0].bytes_written, 200U * 50);
  EXPECT_NEAR(functions[0].seconds, 200, 1e-6);
}

TEST(Simulate, ComputeCanBeLeftOut) {
  trace::Trace trace = application(1, {opened(3), written(number(0), number(100), 4)});
  EXPECT_DOUBLE_EQ(seconds(plain_machine(), trace), 8);
  EXPECT_DOUBLE_EQ(seconds(plain_machine(), trace, {.think = 0}), 1);
  EXPECT_DOUBLE_EQ(seconds(plain_machine(), trace, {.think = 2}), 15);
}

TEST(Simulate, CallsThatMoveNothingTakeTheirRecordedTime) {
  // As communication does; twice, 1 s and 5 s.
  Node other{.signature = give_hint, .parameters = {number(2), number(4), number(2)}};
  for (uint64_t seconds : {1U, 5U}) {
    other.timing.gap.add(0);
    other.timing.duration.add(seconds * 1'000'000'000);
  }
  trace::Trace trace =
      application(1, {opened(), loop(number(2), {other}), written(number(0), number(1000), 4)});
  EXPECT_NEAR(seconds(plain_machine(), trace), 6 + 4 + 10, 1e-9);
  EXPECT_NEAR(seconds(plain_machine(), trace, {.think = 0}), 10, 1e-9);
}

TEST(Simulate, FilesOfTheirOwnSpreadOverTargets) {
  Node open_mine = call(open_own, {number(1), ranked(0, 1), number(3)});
  Machine machine = plain_machine(64, 4);
  machine.striping[0].count = 1;
  trace::Trace trace = application(8, {open_mine, written(number(0), number(100))});
  // Two files on each of four targets.
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 2);
}

TEST(Simulate, AWriteThatFitsIntoTheCacheReturnsAtOnce) {
  Machine machine = plain_machine();
  machine.cache_bytes = 1500;
  machine.cache_bandwidth = 1000;
  trace::Trace trace =
      application(1, {opened(), loop(number(2), {written(affine(0, {1000}), number(1000))})});
  // The first takes 1 s; the second has no room, and shares the target with the first while that is written.
  // 9 s of work are left of the first at 1 s, 10 s of the second: both done after 18 s, 1 s more alone.
  EXPECT_DOUBLE_EQ(seconds(machine, trace), 20);
}

TEST(Simulate, WritersOfANodeShareItsCache) {
  Machine machine = plain_machine();
  machine.ranks_per_node = 2;
  machine.cache_bytes = 5000;
  machine.cache_bandwidth = 1000;
  // Two groups, as one writes more: 1000 bytes of each in 2 s, the last 500 in half a second.
  trace::Trace trace = application(2, {opened(), written(ranked(0, 2000), ranked(1000, 500))});
  Node first = written(number(0), number(1000));
  first.ranks = trace::RankSet::range(0, 1);
  Node second = written(number(2000), number(1500));
  second.ranks = trace::RankSet::range(1, 1);
  EXPECT_DOUBLE_EQ(seconds(machine, application(2, {opened(), first, second})), 2.5);
  EXPECT_DOUBLE_EQ(seconds(machine, trace, {.detail = true}), 2.5);
  machine.ranks_per_node = 1;
  EXPECT_DOUBLE_EQ(seconds(machine, application(2, {opened(), first, second})), 1.5);
  // Aggregators write into the caches of their nodes.
  Node together = call(write_together, {number(3), ranked(0, 500), number(500)});
  trace = application(4, {call(open_together, {number(0), number(3)}), together});
  EXPECT_DOUBLE_EQ(seconds(machine, trace, {.aggregators = 2, .buffer_bytes = 500}), 1);
}

TEST(Simulate, LoopsThatFillACacheAreNotSteady) {
  Machine machine = plain_machine();
  machine.cache_bytes = 1500;
  machine.cache_bandwidth = 1000;
  // Every 0.6 s 100 bytes, of which a second takes 100 to the target: full after some 40 turns.
  trace::Trace trace =
      application(1, {opened(), loop(number(500), {written(affine(0, {100}), number(100), 0.5)})});
  Outcome full = run(machine, trace, {.every_turn = true});
  Outcome quick = run(machine, trace);
  EXPECT_GT(full.applications[0].seconds(), 490);
  EXPECT_NEAR(quick.applications[0].seconds(), full.applications[0].seconds(), 1e-6);
  // With a pause in which the cache empties, it is.
  trace = application(1, {opened(), loop(number(500), {written(affine(0, {100}), number(100), 2)})});
  EXPECT_GT(run(machine, trace).skipped, 450U);
}

TEST(Simulate, TotalsAreThoseOfTheTrace) {
  trace::Trace trace =
      application(16, {opened(), loop(number(30), {written(ranked(0, 7, {112}), number(7), 0.5)}),
                       read(ranked(0, 3), number(9))});
  for (bool detail : {false, true}) {
    Outcome outcome = run(plain_machine(64, 3), trace, {.detail = detail});
    const ApplicationOutcome& a = outcome.applications[0];
    EXPECT_EQ(a.volume.bytes_written, 16U * 30 * 7);
    EXPECT_EQ(a.volume.bytes_read, 16U * 9);
    EXPECT_EQ(a.volume.transfers, 16U * 31);
    EXPECT_EQ(a.volume.metadata, 16U);
    uint64_t bytes = 0;
    for (const TargetOutcome& t : outcome.targets) bytes += t.bytes_read + t.bytes_written;
    EXPECT_EQ(bytes, 16U * 30 * 7 + 16 * 9);
    double used = 0;
    for (double b : a.usage.bytes) used += b;
    EXPECT_NEAR(used, 16 * 30 * 7 + 16 * 9, 1e-6);
  }
}

TEST(Simulate, OperationsAreCountedBeforehand) {
  trace::Trace trace = application(
      16, {opened(), loop(number(30), {written(ranked(0, 7, {112}), number(7)), waited()}), hinted(2, 2)});
  for (bool detail : {false, true}) {
    uint64_t operations = 0;
    Result<Program> program = make_program(trace, {.detail = detail});
    ASSERT_TRUE(program);
    for (const Group& group : program->groups) operations += group.operations;
    EXPECT_EQ(operations, detail ? 16U * 61 : 61U);
  }
}

TEST(Simulate, RanksOneByOneTakeAsLongAsGroups) {
  Machine machine = plain_machine(64, 4);
  machine.target.operation_s = 0.01;
  machine.latency_s = 1e-3;
  machine.metadata_rate = 100;
  trace::Trace trace = application(
      32, {opened(0.1), loop(number(10), {written(ranked(0, 40, {1280}), number(40), 0.2), waited()})});
  double groups = seconds(machine, trace);
  double ranks = seconds(machine, trace, {.detail = true});
  EXPECT_NEAR(ranks, groups, groups * 1e-9);
}

/// Every rank for itself, by one of the engines.
template <class Run>
Outcome by_engine(const Machine& machine, const std::vector<trace::Trace>& traces, Run run) {
  std::vector<Program> programs;
  for (const trace::Trace& trace : traces) programs.push_back(*make_program(trace, {.detail = true}));
  std::vector<Application> applications;
  uint32_t node = 0;
  for (const Program& program : programs) {
    applications.push_back({.name = "a", .program = &program, .first_node = node});
    node += program.ranks;
  }
  SimulationOptions options{.detail = true};
  Result<std::string> text = run_apart([&] {
    World world(machine, applications, options);
    run(world.stages(), [&](Engine& engine, const std::vector<size_t>& done) { world.handle(engine, done); });
    return outcome_json(world.outcome());
  });
  return *parse_outcome(*text);
}

TEST(Simulate, BothEnginesAgree) {
  Machine machine = plain_machine(64, 3);
  machine.target.operation_s = 0.013;
  machine.target.seek_s = 0.1;
  machine.network_bandwidth = 250;
  machine.metadata_rate = 50;
  machine.io_nodes = 4;
  machine.io_node_bandwidth = 90;
  trace::Trace a =
      application(11, {opened(), loop(number(20), {written(ranked(3, 29, {77}), ranked(5, 3), 0.37)})});
  trace::Trace b = application(
      7, {opened(0.5), loop(number(9), {written(ranked(1, 13, {91}), ranked(13, 1), 0.11), waited()})});
  Outcome simgrid = by_engine(machine, {a, b}, run_engine);
  Outcome crowd = by_engine(machine, {a, b}, run_crowd);
  ASSERT_EQ(simgrid.applications.size(), crowd.applications.size());
  for (size_t i = 0; i < crowd.applications.size(); ++i) {
    double end = simgrid.applications[i].end_s;
    EXPECT_GT(end, 1);
    EXPECT_NEAR(crowd.applications[i].end_s, end, end * 1e-9);
    EXPECT_NEAR(crowd.applications[i].io_s, simgrid.applications[i].io_s, end * 1e-9);
    EXPECT_EQ(crowd.applications[i].volume, simgrid.applications[i].volume);
  }
}

TEST(Simulate, SteadyLoopsAreNotRunToTheirEnd) {
  Machine machine = plain_machine(64, 4);
  machine.target.operation_s = 0.01;
  machine.target.seek_s = 0.1;
  machine.striping[0].size = 20;
  Node slow = call(stat, {number(0)}, 0.3);
  slow.ranks = trace::RankSet::range(0, 1);
  trace::Trace trace = application(
      8, {opened(0.1),
          loop(number(3),
               {loop(number(1000), {slow, written(ranked(0, 20, {0, 160}), number(20), 0.2), waited()})}),
          read(number(0), number(10))});
  Outcome full = run(machine, trace, {.every_turn = true});
  Outcome quick = run(machine, trace);
  EXPECT_EQ(full.skipped, 0U);
  EXPECT_GT(quick.skipped, 2900U);
  EXPECT_LT(quick.flows * 20, full.flows);
  const ApplicationOutcome &a = full.applications[0], &b = quick.applications[0];
  EXPECT_NEAR(b.end_s, a.end_s, a.end_s * 1e-9);
  EXPECT_NEAR(b.io_s, a.io_s, a.io_s * 1e-9);
  EXPECT_EQ(b.volume, a.volume);
  EXPECT_EQ(b.phase_count, a.phase_count);
  for (size_t t = 0; t < full.targets.size(); ++t) {
    EXPECT_NEAR(quick.targets[t].busy_s, full.targets[t].busy_s, full.targets[t].busy_s * 1e-9);
    EXPECT_EQ(quick.targets[t].bytes_written, full.targets[t].bytes_written);
    EXPECT_EQ(quick.targets[t].requests, full.targets[t].requests);
  }
}

TEST(Simulate, WhoWaitsInALoopTurnsWithTheOthers) {
  // The others begin each turn at the same time as rank 0, and wait for it at once.
  Node asked = call(stat, {number(0)});
  asked.ranks = trace::RankSet::range(0, 1);
  Node together = call(write_together, {number(3), ranked(0, 25, {100}), number(25)});
  trace::Trace trace =
      application(4, {call(open_together, {number(0), number(3)}), loop(number(1000), {asked, together})});
  for (uint32_t aggregators : {0U, 2U}) {
    Outcome full = run(plain_machine(), trace, {.every_turn = true, .aggregators = aggregators});
    Outcome quick = run(plain_machine(), trace, {.aggregators = aggregators});
    EXPECT_EQ(full.applications[0].groups, 2U);
    EXPECT_EQ(full.applications[0].volume.bytes_written, 100'000U);
    EXPECT_EQ(quick.applications[0].volume, full.applications[0].volume);
    EXPECT_NEAR(quick.applications[0].end_s, full.applications[0].end_s, 1e-6);
    EXPECT_TRUE(quick.notes.empty());
    EXPECT_GT(quick.skipped, 900U);
  }
}

TEST(Simulate, SeeksBehindALeapAreThoseOfAllTurns) {
  // Two files, one by each interface; in both of them each turn of the outer loop begins behind a gap.
  Machine machine = plain_machine();
  machine.target.seek_s = 5;
  Node together = call(write_together, {number(3), ranked(20, 10, {1020, 20}), number(10)});
  trace::Trace trace = application(
      2, {call(open_together, {number(0), number(3)}),
          loop(number(4), {written(ranked(0, 10, {1020}), number(10)), loop(number(50), {together})})});
  Outcome full = run(machine, trace, {.every_turn = true});
  Outcome quick = run(machine, trace);
  EXPECT_NEAR(full.applications[0].seconds(), 4 * 1020 / 100.0 + 8 * 5, 1e-9);
  EXPECT_NEAR(quick.applications[0].seconds(), full.applications[0].seconds(), 1e-6);
  EXPECT_GT(quick.skipped, 100U);
}

TEST(Simulate, PhasesOfSkippedTurnsAreListed) {
  trace::Trace trace =
      application(2, {opened(), loop(number(100), {written(ranked(0, 50, {100}), number(50), 2)})});
  Outcome full = run(plain_machine(), trace, {.every_turn = true});
  Outcome quick = run(plain_machine(), trace);
  EXPECT_GT(quick.skipped, 90U);
  ASSERT_EQ(quick.applications[0].phases.size(), 100U);
  for (size_t i = 0; i < 100; ++i) {
    const Phase &a = full.applications[0].phases[i], &b = quick.applications[0].phases[i];
    EXPECT_NEAR(a.start_s, b.start_s, 1e-6) << i;
    EXPECT_NEAR(a.end_s, b.end_s, 1e-6) << i;
    EXPECT_EQ(a.bytes_written, b.bytes_written) << i;
  }
}

TEST(Simulate, LoopsWhoseTurnsDifferAreRun) {
  Value growing = affine(1, {1});
  trace::Trace trace = application(1, {opened(), loop(number(50), {written(affine(0, {100}), growing)})});
  Outcome outcome = run(plain_machine(), trace);
  EXPECT_EQ(outcome.skipped, 0U);
  EXPECT_EQ(outcome.applications[0].volume.bytes_written, 50U * 51 / 2);
}

TEST(Simulate, TheSameAgainBitByBit) {
  Machine machine = plain_machine(64, 3);
  machine.target.operation_s = 0.013;
  trace::Trace a =
      application(5, {opened(), loop(number(20), {written(ranked(3, 11, {77}), number(11), 0.37)})});
  trace::Trace b =
      application(7, {opened(), loop(number(9), {written(ranked(1, 13, {91}), number(13), 0.11)})});
  for (bool detail : {false, true}) {
    Outcome first = run_all(machine, {a, b}, {.detail = detail});
    EXPECT_EQ(first, run_all(machine, {a, b}, {.detail = detail}));
  }
}

TEST(Simulate, CallsThatDontBelongTogetherDontBlock) {
  // Ranks 0 and 1 meet each other's barriers in another order.
  Node a = waited(1), b = waited(2), c = waited(1), d = waited(2);
  Node only = loop(number(1), {a});
  trace::Trace trace = application(2, {opened(), only, written(ranked(0, 10), number(10)), b, c, d});
  EXPECT_GT(seconds(plain_machine(), trace), 0);
}

}  // namespace
}  // namespace refrain::simulate
