// Loads of targets: cases by hand, and the closed forms against counting byte by byte.
#include "simulate/striping.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "simulate/aggregate.hpp"

namespace refrain::simulate {
namespace {

Spread line(int64_t first, int64_t step, uint64_t count) {
  Spread spread;
  for (uint64_t i = 0; i < count; ++i) spread.push(first + step * static_cast<int64_t>(i));
  return spread;
}

TEST(Spread, SequencesAreOneRun) {
  Spread spread = line(10, 4, 1000);
  ASSERT_EQ(spread.runs().size(), 1U);
  EXPECT_EQ(spread.sum(), 10 * 1000 + 4 * 499500);
  spread.add(line(0, -4, 1000));
  EXPECT_TRUE(spread.is_constant());
  EXPECT_EQ(spread, Spread::constant(10, 1000));
  spread.push(7);
  EXPECT_EQ(spread.lowest(), 7);
  EXPECT_EQ(spread.highest(), 10);
}

TEST(Spread, SumsOfUnlikeSequencesAreCutWhereNeeded) {
  Spread a = line(0, 1, 5);
  a.push(Spread::Run{5, 100, 2});
  Spread b = line(1000, 10, 10);
  b.add(a, 3);
  ASSERT_EQ(b.size(), 10U);
  EXPECT_EQ(b.first(), 1000);
  EXPECT_EQ(b.highest(), 1090 + 3 * 108);
}

TEST(Striping, AnAlignedWriteGoesAroundTheTargets) {
  TargetLoads loads(4, 1);
  loads.add({.size = 10, .count = 4, .first = 1}, 0, 0, 1, 45);
  EXPECT_EQ(loads.of(1).bytes, 15U);  // stripes 0 and half of 4
  EXPECT_EQ(loads.of(2).bytes, 10U);
  EXPECT_EQ(loads.of(0).bytes, 10U);
  EXPECT_EQ(loads.of(1).requests, 1U);
  EXPECT_EQ(loads.of(1).extents, 1U);
}

TEST(Striping, RanksThatWriteSideBySideMakeOneExtent) {
  TargetLoads loads(2, 10);
  // 8 ranks, 5 bytes each, one behind the other: 40 bytes, 20 on each target; every other end is unaligned.
  loads.add_shared({.size = 10, .count = 2}, line(0, 5, 8), Spread::constant(5, 8));
  for (uint32_t t : {0U, 1U}) {
    EXPECT_EQ(loads.of(t).bytes, 20U);
    EXPECT_EQ(loads.of(t).requests, 4U);
    EXPECT_EQ(loads.of(t).extents, 1U);
    EXPECT_EQ(loads.of(t).unaligned, 4U);
  }
}

TEST(Striping, FilesOfTheirOwnBeginOnTheNextTarget) {
  TargetLoads loads(3, 1);
  loads.add_own({.size = 10, .count = 1, .first = 2}, Spread::constant(0, 7), Spread::constant(6, 7));
  EXPECT_EQ(loads.of(2).bytes, 18U);  // ranks 0, 3, 6
  EXPECT_EQ(loads.of(0).bytes, 12U);
  EXPECT_EQ(loads.of(1).bytes, 12U);
  EXPECT_EQ(loads.of(2).extents, 3U);
}

TEST(Striping, CostsAddUp) {
  Target target{
      .read_bandwidth = 100, .write_bandwidth = 50, .operation_s = 1, .seek_s = 10, .unaligned_s = 0.5};
  TargetLoad load{.bytes = 200, .requests = 3, .extents = 2, .unaligned = 4};
  EXPECT_DOUBLE_EQ(service_seconds(load, target, {.writes = true}), 4 + 3 + 20 + 2);
  EXPECT_DOUBLE_EQ(service_seconds(load, target, {.continued = Continued::first}), 2 + 3 + 10 + 2);
  EXPECT_DOUBLE_EQ(service_seconds(load, target, {.continued = Continued::all}), 2 + 3 + 2);
}

/// Byte by byte, request by request.
std::map<uint32_t, TargetLoad> counted(const Layout& layout, uint32_t targets, uint64_t block,
                                       const std::vector<std::pair<uint64_t, uint64_t>>& requests) {
  std::map<uint32_t, TargetLoad> loads;
  auto target_of = [&](uint64_t byte) {
    return static_cast<uint32_t>((layout.first + byte / layout.size % layout.count) % targets);
  };
  for (const auto& [begin, size] : requests) {
    std::map<uint32_t, uint64_t> bytes;
    for (uint64_t b = begin; b < begin + size; ++b) ++bytes[target_of(b)];
    for (const auto& [target, n] : bytes) {
      loads[target].bytes += n;
      ++loads[target].requests;
    }
    if (size > 0 && begin % block != 0) ++loads[target_of(begin)].unaligned;
    if (size > 0 && (begin + size) % block != 0) ++loads[target_of(begin + size - 1)].unaligned;
  }
  return loads;
}

TEST(Striping, ClosedFormsAgreeWithCounting) {
  std::mt19937_64 random(17);
  auto below = [&](uint64_t n) { return random() % n; };
  for (int round = 0; round < 3000; ++round) {
    uint64_t block = 1 + below(4);
    auto targets = static_cast<uint32_t>(1 + below(6));
    Layout layout{.size = block * (1 + below(5)), .count = static_cast<uint32_t>(1 + below(targets))};
    layout.first = static_cast<uint32_t>(below(targets));
    auto first = static_cast<int64_t>(below(100));
    auto step = static_cast<int64_t>(below(40));
    uint64_t count = 1 + below(50);
    uint64_t size = below(60);
    TargetLoads loads(targets, block);
    loads.add(layout, first, step, count, size);
    std::vector<std::pair<uint64_t, uint64_t>> requests;
    for (uint64_t i = 0; i < count; ++i)
      requests.emplace_back(static_cast<uint64_t>(first) + i * static_cast<uint64_t>(step), size);
    std::map<uint32_t, TargetLoad> expected = counted(layout, targets, block, requests);
    for (uint32_t t = 0; t < targets; ++t) {
      ASSERT_EQ(loads.of(t).bytes, expected[t].bytes) << round;
      ASSERT_EQ(loads.of(t).requests, expected[t].requests) << round;
      ASSERT_EQ(loads.of(t).unaligned, expected[t].unaligned) << round;
    }
  }
}

TEST(Striping, AMillionRanksCostAsMuchAsThePatternIsLong) {
  TargetLoads loads(8, 4096);
  loads.add_shared({.size = 1 << 20, .count = 8}, line(0, 1 << 20, 1 << 20),
                   Spread::constant(1 << 20, 1 << 20));
  for (uint32_t t = 0; t < 8; ++t) EXPECT_EQ(loads.of(t).bytes, uint64_t{1} << 37U);
}

TEST(Striping, NonsenseOffsetsDoNoHarm) {
  TargetLoads loads(2, 1);
  loads.add({.size = 10, .count = 2}, -5, 3, 4, 10);
  loads.add({.size = 10, .count = 2}, INT64_MAX - 3, 0, 1, 10);
  loads.add({.size = 10, .count = 2}, 0, INT64_MAX / 2, 5, 10);
  EXPECT_EQ(loads.of(0).bytes + loads.of(1).bytes, 100U);
}

TEST(Aggregation, DataIsCutIntoBuffers) {
  TargetLoads loads(4, 1);
  AggregatedTransfer made =
      aggregate({.aggregators = 2, .buffer_bytes = 20}, {.size = 10, .count = 4}, 0, 90, loads);
  EXPECT_EQ(made.requests, 5U);
  EXPECT_EQ(made.rounds, 3U);
  EXPECT_EQ(made.aggregators, 2U);
  EXPECT_EQ(loads.of(0).bytes, 30U);
  EXPECT_EQ(loads.of(0).extents, 2U);  // the last piece was added for itself
}

TEST(Aggregation, LittleDataIsDividedInWholeStripes) {
  TargetLoads loads(4, 1);
  AggregatedTransfer made =
      aggregate({.aggregators = 4, .buffer_bytes = 1000}, {.size = 10, .count = 4}, 0, 20, loads);
  EXPECT_EQ(made.requests, 2U);
  EXPECT_EQ(made.aggregators, 2U);
  EXPECT_EQ(made.rounds, 1U);
}

}  // namespace
}  // namespace refrain::simulate
