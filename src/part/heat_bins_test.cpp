// The heat map of a lane while it grows: bins double, calls are spread over the bins that they last through,
// and what is saved is what is restored.
#include "part/heat_bins.hpp"

#include <gtest/gtest.h>

namespace refrain::record {
namespace {

using trace::HeatKind;
using trace::HeatMap;

constexpr uint64_t ms = 1'000'000, epoch = 1'700'000'000'000 * ms;

struct Sums {
  uint64_t bytes = 0, time_ns = 0;
};
Sums sums(const HeatMap& map, HeatKind kind) {
  Sums all;
  for (const trace::HeatRow& row : map.rows)
    for (const trace::HeatCell& cell : row.cells) {
      if (cell.kind != kind) continue;
      all.bytes += cell.bytes;
      all.time_ns += cell.time_ns;
    }
  return all;
}

TEST(HeatBins, DoubleAsTheRunGoesOn) {
  HeatBins bins;
  uint64_t calls = 0;
  for (uint64_t at = 0; at < 10'000 * ms; at += ms / 3, ++calls)
    bins.add({HeatKind::written, epoch + at, epoch + at + 1000, 10});
  HeatMap map = bins.map();
  EXPECT_EQ(sums(map, HeatKind::written).bytes, 10 * calls);
  EXPECT_EQ(sums(map, HeatKind::written).time_ns, 1000 * calls);
  // 10 s in at most 256 bins, and more than half of them are used.
  EXPECT_LT(map.last_bin() - map.first_bin, HeatMap::most_bins);
  EXPECT_GE(map.last_bin() - map.first_bin, HeatMap::most_bins / 2 - 1);
  EXPECT_LE(map.start_ns(), epoch);
}

TEST(HeatBins, LongCallsAreSpread) {
  HeatBins bins;
  bins.add({HeatKind::read, epoch, epoch + 1000 * ms, 1'000'000});
  HeatMap map = bins.map();
  EXPECT_EQ(sums(map, HeatKind::read).bytes, 1'000'000u);
  EXPECT_EQ(sums(map, HeatKind::read).time_ns, 1000 * ms);
  const auto& cells = map.rows[0].cells;
  ASSERT_GT(cells.size(), 100u);
  for (size_t i = 1; i + 1 < cells.size(); ++i) {
    EXPECT_EQ(cells[i].time_ns, map.bin_ns());
    EXPECT_NEAR(static_cast<double>(cells[i].bytes), static_cast<double>(map.bin_ns()) / 1000, 1);
  }
}

TEST(HeatBins, CallsMayComeOutOfOrder) {
  HeatBins bins;
  bins.add({HeatKind::read, epoch + 500 * ms, epoch + 500 * ms + 5, 1});
  bins.add({HeatKind::other, epoch, epoch, 0});
  bins.add({HeatKind::read, epoch, epoch, 2});
  bins.add({HeatKind::read, 0, 7, 4});
  EXPECT_EQ(sums(bins.map(), HeatKind::read).bytes, 7u);
  EXPECT_EQ(sums(bins.map(), HeatKind::read).time_ns, 12u);
}

TEST(HeatBins, AreRestoredAsTheyWere) {
  HeatBins bins;
  for (uint64_t i = 0; i < 1000; ++i)
    bins.add({static_cast<HeatKind>(i % 3), epoch + i * ms, epoch + i * ms + i, i});
  ByteWriter out;
  bins.save(out);
  ByteReader in(out.bytes());
  HeatBins again = HeatBins::restore(in);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(in.left(), 0u);
  EXPECT_EQ(again.map(), bins.map());
  again.add({HeatKind::written, epoch, epoch, 1});
  EXPECT_EQ(sums(again.map(), HeatKind::written).bytes, sums(bins.map(), HeatKind::written).bytes + 1);
}

TEST(HeatBins, DamagedOnesAreRefused) {
  auto restored = [](std::initializer_list<uint64_t> numbers) {
    ByteWriter out;
    for (uint64_t n : numbers) out.varint(n);
    ByteReader in(out.bytes());
    HeatBins::restore(in);
    return in.ok();
  };
  EXPECT_TRUE(restored({0}));
  EXPECT_TRUE(restored({1, 20, 5, 1, 1}));
  EXPECT_FALSE(restored({HeatMap::most_bins * 3 + 1, 20, 5, 1, 1}));
  EXPECT_FALSE(restored({1, 15, 5, 1, 1}));
  EXPECT_FALSE(restored({1, 56, 5, 1, 1}));
  EXPECT_FALSE(restored({1, 20, UINT64_MAX, 1, 1}));
  EXPECT_FALSE(restored({4, 20, HeatMap::last_moment_ns >> 20, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_FALSE(restored({2, 20, 5, 1, 1}));
}

trace::Signature call(const char* layer, trace::Role argument, trace::Role result) {
  trace::Signature s;
  s.layer = layer;
  s.operands = {{.kind = trace::OperandKind::slot, .text = "fd"},
                {.kind = trace::OperandKind::list, .role = argument, .width = 2}};
  s.result = {.kind = trace::OperandKind::integer, .role = result};
  return s;
}

TEST(HeatRule, FollowsFromRoles) {
  const int64_t parameters[] = {3, 100, 200, 50};
  HeatRule rule = HeatRule::of(call("posix", trace::Role::size, trace::Role::bytes_read));
  EXPECT_TRUE(rule.counts);
  EXPECT_EQ(rule.kind, HeatKind::read);
  EXPECT_EQ(rule.read.sum(parameters), 50u);
  rule = HeatRule::of(call("hdf5", trace::Role::bytes_written, trace::Role::plain));
  EXPECT_EQ(rule.kind, HeatKind::written);
  EXPECT_EQ(rule.written.sum(parameters), 300u);
  rule = HeatRule::of(call("posix", trace::Role::bytes_written, trace::Role::bytes_read));
  EXPECT_EQ(rule.kind, HeatKind::written);
  EXPECT_EQ(rule.read.sum(parameters), 50u);
  EXPECT_EQ(HeatRule::of(call("posix", trace::Role::offset, trace::Role::plain)).kind, HeatKind::other);
  EXPECT_FALSE(HeatRule::of(call("mpi", trace::Role::size, trace::Role::plain)).counts);
}

TEST(HeatRule, FailedCallsTakeTimeAndMoveNothing) {
  trace::Signature failed = call("posix", trace::Role::bytes_written, trace::Role::plain);
  failed.error = "ENOSPC";
  HeatRule rule = HeatRule::of(failed);
  EXPECT_EQ(rule.kind, HeatKind::written);
  EXPECT_EQ(rule.written.count, 0);
}

}  // namespace
}  // namespace refrain::record
