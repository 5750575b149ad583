// Phases of hand-made traces: the folded program and its histograms decide where it is cut.
#include "jobs/job_phases.hpp"

#include <gtest/gtest.h>

#include "jobs/node_totals.hpp"
#include "trace/sample.hpp"

namespace refrain::jobs {
namespace {

using trace::Node;
using trace::Value;
using trace::sample::affine;
using trace::sample::loop;
using trace::sample::number;

constexpr uint64_t ms = 1'000'000;

/// Signature 0: open, 1: write of as many bytes as its only parameter says, 2: close.
trace::Trace program(std::vector<Node> nodes, uint32_t ranks = 0) {
  trace::Trace made;
  trace::Signature open{.function = "open", .layer = "posix"};
  trace::Signature write{.function = "write", .layer = "posix"};
  write.result = {.kind = trace::OperandKind::integer, .role = trace::Role::bytes_written};
  made.signatures = {open, write, open};
  trace::Process process{.program = "/somewhere/solver"};
  if (ranks > 0) process.ranks = trace::RankSet::range(0, ranks);
  process.streams.push_back({.nodes = std::move(nodes)});
  made.processes.push_back(std::move(process));
  return made;
}

/// With a call of fsync as signature 3.
trace::Trace with_sync(trace::Trace made) {
  made.signatures.push_back({.function = "fsync", .layer = "posix"});
  return made;
}

/// A call with `pauses` gaps of `pause_ms`, and further ones of 1 ms up to `executions`; each takes 2 ms.
Node call(uint32_t signature, std::vector<Value> parameters, uint64_t executions, uint64_t pauses,
          uint64_t pause_ms) {
  Node node{.signature = signature};
  node.parameters = std::move(parameters);
  for (uint64_t i = 0; i < executions; ++i) {
    node.timing.gap.add(i < pauses ? pause_ms * ms : ms);
    node.timing.duration.add(2 * ms);
  }
  return node;
}
Node open_call(uint64_t executions, uint64_t pauses, uint64_t pause_ms) {
  return call(0, {}, executions, pauses, pause_ms);
}
Node write_call(Value bytes, uint64_t executions, uint64_t pauses, uint64_t pause_ms) {
  return call(1, {std::move(bytes)}, executions, pauses, pause_ms);
}

TraceJob made(const trace::Trace& trace) {
  Result<TraceJob> job = job_of(trace, {});
  EXPECT_TRUE(job) << job.error().text();
  return job ? *job : TraceJob{};
}

TEST(Phases, ALoopThatComputesAndWritesIsPeriodic) {
  // The example of phases.cpp, smaller: 2 s of compute, open, 4 writes of 1000 bytes, close; 10 times on 4
  // ranks.
  TraceJob job = made(program(
      {loop(number(10), {open_call(40, 40, 2000), loop(number(4), {write_call(number(1000), 160, 0, 0)}),
                         call(2, {}, 40, 0, 0)})},
      4));
  EXPECT_EQ(job.job.name, "solver");
  EXPECT_EQ(job.job.nodes, 4U);
  ASSERT_EQ(job.job.blocks, (std::vector<schedule::Block>{{0, 1, 10}}));
  EXPECT_EQ(job.job.phases[0].volume, 16000);
  // 2 s, open 2 ms, 4 gaps of 1 ms, one more before close, close 2 ms
  EXPECT_EQ(job.job.phases[0].compute, (2000 + 2 + 4 + 1 + 2) * static_cast<schedule::Time>(ms));
  EXPECT_NEAR(job.io_seconds, 10 * 4 * 0.002, 1e-9);
  EXPECT_NEAR(job.bandwidth, 160000 / 0.08, 1e-3);
  EXPECT_TRUE(job.notes.empty());
}

TEST(Phases, APauseBeforeALoopOfWritesIsFoundInItsGaps) {
  // The first of every 4 writes comes after 500 ms.
  TraceJob job = made(program({loop(number(10), {loop(number(4), {write_call(number(100), 40, 10, 500)})})}));
  ASSERT_EQ(job.job.blocks, (std::vector<schedule::Block>{{0, 1, 10}}));
  EXPECT_EQ(job.job.phases[0].volume, 400);
  EXPECT_EQ(job.job.phases[0].compute, 503 * static_cast<schedule::Time>(ms));
}

TEST(Phases, PausesNowAndThenMakeEqualPhases) {
  TraceJob job = made(program({loop(number(1000), {write_call(number(100), 1000, 50, 900)})}));
  ASSERT_EQ(job.job.blocks, (std::vector<schedule::Block>{{0, 1, 50}}));
  EXPECT_NEAR(job.job.phases[0].volume, 2000, 1e-9);
  EXPECT_EQ(job.notes.size(), 1U);
}

TEST(Phases, WithoutPausesEverythingIsOnePhase) {
  TraceJob job = made(program({open_call(1, 0, 0), loop(number(100), {write_call(number(10), 100, 0, 0)})}));
  ASSERT_EQ(job.job.phase_count(), 1U);
  EXPECT_EQ(job.job.phases[0].volume, 1000);
}

TEST(Phases, PausesWithoutIoBelongToTheNextPhase) {
  TraceJob job = made(program(
      {write_call(number(10), 1, 1, 1000), open_call(1, 1, 3000), write_call(number(20), 1, 1, 1000)}));
  ASSERT_EQ(job.job.blocks, (std::vector<schedule::Block>{{0, 2, 1}}));
  EXPECT_EQ(job.job.phases[0].volume, 10);
  EXPECT_EQ(job.job.phases[1].volume, 20);
  EXPECT_EQ(job.job.phases[1].compute, 4002 * static_cast<schedule::Time>(ms));
}

TEST(Phases, BytesAreOfAllRanksAndMayDiffer) {
  // Rank r writes 100 + 10 r bytes, rank 0 also a head of 7.
  Value by_rank{.base = trace::Number(trace::Column::of({100, 110, 120}))};
  Node head = write_call(number(7), 1, 0, 0);
  head.ranks = trace::RankSet::range(0, 1);
  TraceJob job = made(program({head, loop(number(5), {write_call(by_rank, 15, 15, 300)})}, 3));
  EXPECT_EQ(job.job.volume(), 7 + 5 * 330);
}

TEST(Phases, LoopsOfAnyLengthCostTheirBody) {
  // A thousand million iterations on a million ranks; times are those of a few.
  TraceJob job =
      made(program({loop(number(1'000'000'000), {write_call(number(8), 100, 100, 200)})}, 1'000'000));
  ASSERT_EQ(job.job.blocks.size(), 1U);
  EXPECT_EQ(job.job.blocks[0].repeat, 1'000'000'000U);
  EXPECT_NEAR(job.job.phases[0].volume, 8e6, 1);
}

TEST(Phases, NestedPhasesAreRepeated) {
  // Twice: 1 s and a write, then 3 times 0.2 s and a write.
  TraceJob job = made(program({loop(number(2), {write_call(number(50), 2, 2, 1000),
                                                loop(number(3), {write_call(number(5), 6, 6, 200)})})}));
  ASSERT_EQ(job.job.blocks, (std::vector<schedule::Block>{{0, 4, 2}}));
  EXPECT_EQ(job.job.phases[0].volume, 50);
  EXPECT_EQ(job.job.phases[3].volume, 5);
  EXPECT_EQ(job.job.volume(), 2 * 65);
}

TEST(Phases, WaitingForTheDiskIsIo) {
  std::vector<Node> writes{open_call(1, 0, 0), loop(number(100), {write_call(number(10), 100, 0, 0)})};
  TraceJob cached = made(program(writes));
  EXPECT_FALSE(cached.waited_for_disk);
  writes.push_back(call(3, {}, 1, 0, 0));
  TraceJob synced = made(with_sync(program(writes)));
  EXPECT_TRUE(synced.waited_for_disk);
  EXPECT_NEAR(synced.io_seconds, cached.io_seconds + 0.002, 1e-9);
  EXPECT_NEAR(synced.bandwidth, 1000 / synced.io_seconds, 1e-3);
  // The pause of 1 ms before the call is compute, the call itself isn't.
  EXPECT_EQ(synced.job.compute_time(), cached.job.compute_time() + static_cast<schedule::Time>(ms));
  EXPECT_EQ(synced.job.phase_count(), 1U);
}

TEST(Phases, ATraceWithoutDataIsRefused) {
  EXPECT_FALSE(job_of(program({open_call(1, 0, 0)}), {}));
  EXPECT_FALSE(job_of(trace::Trace{}, {}));
}

TEST(Phases, SampleTracesGiveTheirBytes) {
  Result<TraceJob> job = job_of(trace::sample::copy(), {});
  ASSERT_TRUE(job);
  EXPECT_EQ(job->job.volume(), 8 * 131072 * 2 + 55 * 65536);
  job_of(trace::sample::everything(), {.gap_seconds = 1e-8});
}

}  // namespace
}  // namespace refrain::jobs
