#include "report/heat_rows.hpp"

#include <gtest/gtest.h>

#include "trace/sample.hpp"

namespace refrain::report {
namespace {

using namespace trace;

/// Ranks that each write their number of bytes in one bin and read in another.
Trace job_of(uint32_t ranks) {
  Trace t{.command = "sample"};
  t.nprocs = ranks;
  Process& p = t.processes.emplace_back();
  p.ranks = RankSet::range(0, ranks);
  for (uint32_t r = 0; r < ranks; ++r) {
    HeatRow& row = p.heat.rows.emplace_back();
    row.number = r;
    row.cells = {{.bin = 3, .kind = HeatKind::read, .bytes = 1, .time_ns = 10},
                 {.bin = 200, .kind = HeatKind::written, .bytes = r, .time_ns = 20}};
  }
  return t;
}

TEST(HeatRows, AreOfRanks) {
  Json heat = heat_rows(job_of(4));
  ASSERT_EQ(heat["rows"].size(), 4u);
  EXPECT_EQ(heat["rows"][2]["ranks"], "2");
  EXPECT_EQ(heat["rows"][2]["count"], 1);
  EXPECT_LE(heat["bins"], 128);
}

TEST(HeatRows, OfManyRanksStandTogetherAndNothingIsLost) {
  Json heat = heat_rows(job_of(1000));
  EXPECT_LE(heat["rows"].size(), 128u);
  EXPECT_EQ(heat["rows"][0]["ranks"], "0..7");
  uint64_t ranks = 0, read = 0, written = 0;
  for (const Json& row : heat["rows"]) {
    ranks += row["count"].get<uint64_t>();
    for (const Json& cell : row["cells"]) (cell[1] == 0 ? read : written) += cell[2].get<uint64_t>();
  }
  EXPECT_EQ(ranks, 1000u);
  EXPECT_EQ(read, 1000u);
  EXPECT_EQ(written, 999u * 1000 / 2);
}

TEST(HeatRows, AreMissingWhereThereIsNoMap) { EXPECT_TRUE(heat_rows(sample::copy()).is_null()); }

}  // namespace
}  // namespace refrain::report
