// Heat maps survive a file; equal rows take next to nothing; what can't be one is refused with its reason.
#include "format/heat_code.hpp"

#include <gtest/gtest.h>

#include "format/file.hpp"
#include "trace/sample.hpp"

namespace refrain::format {

using namespace trace;

namespace {

std::string reason(std::initializer_list<uint64_t> numbers) {
  ByteWriter out;
  for (uint64_t n : numbers) out.varint(n);
  Trace t;
  t.processes.resize(1);
  ByteReader in(out.bytes());
  read_heat(in, t);
  return in.ok() ? in.left() > 0 ? "more" : "" : in.reason();
}

TEST(HeatCode, AFileGivesBackWhatWasWritten) {
  Trace t = sample::heat();
  auto again = decode(encode(t));
  ASSERT_TRUE(again) << again.error().text();
  for (size_t i = 0; i < t.processes.size(); ++i) EXPECT_EQ(again->processes[i].heat, t.processes[i].heat);
  auto raw = decode_raw(encode_raw(t));
  ASSERT_TRUE(raw) << raw.error().text();
  EXPECT_EQ(raw->processes[0].heat, t.processes[0].heat);
}

TEST(HeatCode, EqualRowsAreWrittenOnce) {
  Trace t;
  t.nprocs = 4096;
  Process& p = t.processes.emplace_back();
  p.ranks = RankSet::range(0, 4096);
  for (uint32_t rank = 0; rank < 4096; ++rank) {
    HeatRow& row = p.heat.rows.emplace_back();
    row.number = rank;
    for (uint16_t bin = 0; bin < 20; ++bin) row.cells.push_back({bin, HeatKind::written, 1'000'000, 70'000});
  }
  ByteWriter out;
  write_heat(out, t);
  EXPECT_LT(out.size(), 4096u * 2 + 400);
  ByteReader in(out.bytes());
  Trace again;
  again.processes.resize(1);
  read_heat(in, again);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(again.processes[0].heat, p.heat);
}

TEST(HeatCode, RepeatedRowsOfAllProcessesTogetherAreBounded) {
  Trace t;
  for (int n = 0; n < 3; ++n) {
    Process& p = t.processes.emplace_back();
    p.ranks = RankSet::range(0, 4096);
    for (uint32_t rank = 0; rank < 4096; ++rank) {
      HeatRow& row = p.heat.rows.emplace_back();
      row.number = rank;
      for (uint16_t bin = 0; bin < 16; ++bin) row.cells.push_back({bin, HeatKind::written, 1, 1});
    }
  }
  ByteWriter out;
  write_heat(out, t);
  EXPECT_GT(out.size(), 4096u * 16 * 3);  // the last of them is written out
  ByteReader in(out.bytes());
  Trace again;
  again.processes.resize(3);
  read_heat(in, again);
  ASSERT_TRUE(in.ok()) << in.reason();
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(again.processes[i].heat, t.processes[i].heat);
}

TEST(HeatCode, WhatCanNotBeIsRefused) {
  // rows, width, group, first bin, shift; then per row: gap, back, cells, keys, bytes, times
  EXPECT_EQ(reason({0}), "");
  EXPECT_EQ(reason({1, 20, 0, 9, 0, 0, 0, 1, 5, 100, 7}), "");
  EXPECT_EQ(reason({4097}), "too many rows");
  EXPECT_EQ(reason({1, 56, 0, 9, 0, 0, 0, 1, 5, 100, 7}), "bins too wide");
  EXPECT_EQ(reason({1, 15, 0, 9, 0, 0, 0, 1, 5, 100, 7}), "bins too narrow");
  EXPECT_EQ(reason({1, 20, 32, 9, 0, 0, 0, 1, 5, 100, 7}), "too many ranks in a row");
  EXPECT_EQ(reason({1, 20, 0, UINT64_MAX, 0, 0, 0, 1, 5, 100, 7}), "time out of range");
  EXPECT_EQ(reason({1, 20, 0, 9, 60, 0, 0, 1, 5, 100, 1 << 20}), "time out of range");
  EXPECT_EQ(reason({1, 20, 0, 9, 0, 0, 1, 1, 5, 100, 7}), "a row like none before it");
  EXPECT_EQ(reason({1, 20, 0, 9, 0, 0, 0, 0, 0, 0, 0}), "a row of no cells, or of too many");
  EXPECT_EQ(reason({1, 20, 0, 9, 0, 0, 0, 1, 768, 100, 7}), "bin out of range");
  EXPECT_EQ(reason({1, 20, 8, 9, 0, uint64_t{1} << 30, 0, 1, 5, 100, 7}), "rank out of range");
  EXPECT_EQ(reason({1, 20, 0, 9, 0, 0, 0, 50, 5, 100, 7}), "more cells than bytes");
}

TEST(HeatCode, RowsOfRanksThatAreNotThereAreRefused) {
  Trace t = sample::heat();
  t.processes[0].heat.rows.back().number = 20;
  auto again = decode(encode(t));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().text().find("heat map of ranks that the process doesn't have"), std::string::npos);
}

TEST(HeatCode, ScaleFreeTracesHaveNone) {
  Trace t = sample::scale_free();
  std::vector<uint8_t> without = encode(t);
  t.processes[0].heat = sample::heat().processes[1].heat;
  EXPECT_EQ(encode(t), without);
}

}  // namespace
}  // namespace refrain::format
