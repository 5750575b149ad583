// Heat maps of several processes on one time base.
#include "measure/heat_view.hpp"

#include <gtest/gtest.h>

#include "trace/sample.hpp"

namespace refrain::measure {
namespace {

TEST(HeatView, PutsAllProcessesOnOneTimeBase) {
  trace::Trace t = trace::sample::heat();
  HeatView view = heat_view(t);
  ASSERT_EQ(view.rows.size(), 11u);
  EXPECT_EQ(view.bin_ns, uint64_t{1} << 20);
  EXPECT_EQ(view.bins.size(), 256u);
  EXPECT_EQ(view.rows[1].first_rank, 2u);
  EXPECT_EQ(view.rows[1].last_rank, 2u);
  EXPECT_TRUE(view.rows[1].of_ranks);
  EXPECT_FALSE(view.rows[10].of_ranks);
  EXPECT_EQ(view.rows[10].process, 1u);
  EXPECT_EQ(view.totals[0], (HeatTotals{5 * 4096 + 100, 5 * (5 << 14) + 1}));
  EXPECT_EQ(view.bins[3][0], (HeatTotals{5 * 4096, 5 * (5 << 14)}));
  EXPECT_EQ(view.bins[0][0], (HeatTotals{100, 1}));
  EXPECT_EQ(view.rows[0].totals[1].bytes, 1u);
}

TEST(HeatView, ATraceWithoutHasNone) {
  EXPECT_TRUE(heat_view(trace::sample::copy()).empty());
  EXPECT_TRUE(coarser(heat_view(trace::sample::copy()), 10).empty());
}

TEST(HeatView, CoarserBinsHoldTheSame) {
  HeatView fine = heat_view(trace::sample::heat()), coarse = coarser(fine, 50);
  EXPECT_EQ(coarse.bins.size(), 43u);  // of six each
  EXPECT_EQ(coarse.bin_ns, 6 * fine.bin_ns);
  HeatByKind sums{};
  for (const HeatByKind& bin : coarse.bins)
    for (size_t k = 0; k < sums.size(); ++k) {
      sums[k].bytes += bin[k].bytes;
      sums[k].time_ns += bin[k].time_ns;
    }
  EXPECT_EQ(sums, fine.totals);
  for (const HeatViewRow& row : coarse.rows)
    for (const trace::HeatCell& cell : row.cells) EXPECT_LT(cell.bin, 43);
}

TEST(HeatView, GroupsEndWithTheLastRank) {
  trace::Trace t = trace::sample::heat();
  t.processes.pop_back();
  t.processes[0].heat.regroup(3);
  HeatView view = heat_view(t);
  ASSERT_EQ(view.rows.size(), 3u);
  EXPECT_EQ(view.most_in_row, 8u);
  EXPECT_EQ(view.rows[2].first_rank, 16u);
  EXPECT_EQ(view.rows[2].last_rank, 19u);
}

}  // namespace
}  // namespace refrain::measure
