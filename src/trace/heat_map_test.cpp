// Heat maps of different widths, places and numbers of ranks become one; nothing gets lost on the way.
#include "trace/heat_map.hpp"

#include <gtest/gtest.h>

#include <random>

namespace refrain::trace {
namespace {

HeatMap one(uint32_t rank, uint64_t ns, uint64_t bytes, HeatKind kind = HeatKind::written) {
  HeatMap map;
  map.first_bin = ns >> map.width_log2;
  map.rows = {{rank, {{0, kind, bytes, 1000}}}};
  return map;
}

struct Sum {
  uint64_t bytes = 0, time_ns = 0;
  bool operator==(const Sum&) const = default;
};
Sum sum(const HeatMap& map) {
  Sum all;
  for (const HeatRow& row : map.rows)
    for (const HeatCell& cell : row.cells) {
      all.bytes += cell.bytes;
      all.time_ns += cell.time_ns;
    }
  return all;
}

constexpr uint64_t second = 1'000'000'000, epoch = 1'700'000'000 * second;

TEST(HeatMap, CellsOfTheSameTimeAndRowAreAdded) {
  HeatMap map = one(3, epoch, 10);
  map.merge(one(3, epoch + 10, 5));
  map.merge(one(3, epoch, 7, HeatKind::read));
  map.merge(one(4, epoch, 1));
  ASSERT_EQ(map.rows.size(), 2u);
  ASSERT_EQ(map.rows[0].cells.size(), 2u);
  EXPECT_EQ(map.rows[0].cells[0], (HeatCell{0, HeatKind::read, 7, 1000}));
  EXPECT_EQ(map.rows[0].cells[1], (HeatCell{0, HeatKind::written, 15, 2000}));
}

TEST(HeatMap, ProcessesThatBeganAtDifferentMomentsShareOneTimeBase) {
  HeatMap late = one(1, epoch + 3 * second, 2), map = late;
  map.merge(one(0, epoch, 1));
  HeatMap other = one(0, epoch, 1);
  other.merge(late);
  EXPECT_EQ(map, other);
  EXPECT_LE(map.start_ns(), epoch);
  EXPECT_GT(map.start_ns() + map.bin_ns(), epoch);
  uint64_t at = map.start_ns() + map.rows[1].cells[0].bin * map.bin_ns();
  EXPECT_LE(at, epoch + 3 * second);
  EXPECT_GT(at + map.bin_ns(), epoch + 3 * second);
}

TEST(HeatMap, StaysBoundedHoweverLongAndLarge) {
  std::mt19937_64 random(7);
  HeatMap map;
  Sum all;
  for (uint32_t rank = 0; rank < 20'000; rank += 7) {
    HeatMap fresh = one(rank, epoch + random() % (1000 * second), rank);
    for (int i = 0; i < 20; ++i)
      fresh.merge(one(rank, epoch + random() % (1000 * second), 1 + random() % 1000));
    all.bytes += sum(fresh).bytes;
    all.time_ns += sum(fresh).time_ns;
    map.merge(std::move(fresh));
  }
  EXPECT_EQ(sum(map), all);
  EXPECT_LE(map.rows.size(), HeatMap::most_rows);
  EXPECT_EQ(map.group_log2, 3u);  // 20,000 / 8 = 2,500; / 4 would be 5,000
  EXPECT_EQ(map.rows.back().number, 19'999u >> 3);
  EXPECT_LE(map.cells(), HeatMap::most_cells);
  EXPECT_LT(map.last_bin() - map.first_bin, HeatMap::most_bins);
  for (const HeatRow& row : map.rows)
    for (size_t i = 1; i < row.cells.size(); ++i) ASSERT_LT(row.cells[i - 1].key(), row.cells[i].key());
}

TEST(HeatMap, AThousandYearsFit) {
  HeatMap map = one(0, 0, 1);
  map.merge(one(0, HeatMap::last_moment_ns, 1));
  EXPECT_LE(map.width_log2, HeatMap::most_width_log2);
  EXPECT_LT(map.last_bin(), HeatMap::most_bins);
  EXPECT_EQ(sum(map), (Sum{2, 2000}));
}

TEST(HeatMap, RoundingKeepsSumsAndDropsWhatIsNothing) {
  HeatMap map;
  map.width_log2 = 20;
  HeatRow& row = map.rows.emplace_back();
  for (uint16_t bin = 0; bin < 200; ++bin) row.cells.push_back({bin, HeatKind::other, 0, 5000});
  map.rows.push_back({1, {{0, HeatKind::other, 0, 10}}});
  map.round();
  ASSERT_EQ(map.rows.size(), 1u);
  EXPECT_NEAR(static_cast<double>(sum(map).time_ns), 1e6, (1 << 20) / 64.0);
  for (const HeatCell& cell : map.rows[0].cells) EXPECT_EQ(cell.time_ns % ((1 << 20) / 64), 0u);
  HeatMap again = map;
  again.round();
  EXPECT_EQ(again, map);
}

}  // namespace
}  // namespace refrain::trace
