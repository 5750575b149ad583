#include "measure/slab.hpp"

#include <gtest/gtest.h>

#include "measure/type_layout.hpp"

namespace refrain::measure {
namespace {

using Sizes = std::vector<int64_t>;

Slab block_at(const Sizes& start, const Sizes& size, const Sizes& of) {
  Slab slab{.of = of};
  for (size_t d = 0; d < start.size(); ++d) slab.dimensions.push_back({start[d], size[d], 1, size[d]});
  return slab;
}

RankSlabs walk_of(uint32_t rank, const std::vector<Slab>& slabs, uint64_t bytes = 4096) {
  RankSlabs w{.rank = rank};
  for (const Slab& s : slabs) w.walk.add(s, bytes);
  return w;
}

TEST(Slab, BlocksThatTouchAreOne) {
  Slab slab{.dimensions = {{5, 16, 40, 16}, {0, 8, 1, 3}}};
  slab.simplify();
  EXPECT_TRUE(slab.is_block());
  EXPECT_EQ(slab, block_at({5, 0}, {640, 3}, {}));
  EXPECT_EQ(slab.points(), 1920);
  Slab gaps{.dimensions = {{0, 4, 10, 1}}};
  gaps.simplify();
  EXPECT_FALSE(gaps.is_block());
  Slab huge{.dimensions = {{0, 1, 1, INT64_MAX}, {0, 1, 1, 3}}};
  EXPECT_FALSE(huge.points());
}

TEST(Slab, Neighbors) {
  EXPECT_EQ(united(block_at({0, 0}, {640, 8}, {}), block_at({640, 0}, {2, 8}, {})),
            block_at({0, 0}, {642, 8}, {}));
  EXPECT_FALSE(united(block_at({0, 0}, {640, 8}, {}), block_at({641, 0}, {2, 8}, {})));
  EXPECT_FALSE(united(block_at({0, 0}, {4, 4}, {}), block_at({4, 4}, {4, 4}, {})));
}

TEST(SlabWords, PartsOfRanks) {
  std::vector<RankSlabs> grid, rows, same, uneven, turns;
  for (uint32_t r = 0; r < 4; ++r) {
    grid.push_back(walk_of(r, {block_at({r / 2 * 16, r % 2 * 16}, {16, 16}, {32, 32})}));
    rows.push_back(walk_of(r, {block_at({r * 100}, {100}, {400})}));
    same.push_back(walk_of(r, {block_at({0, 0}, {7, 5}, {7, 5})}));
    uneven.push_back(walk_of(r, {block_at({r * 10, 0}, {r == 3 ? 12 : 10, 5}, {42, 5})}, r == 3 ? 480 : 400));
    turns.push_back(walk_of(r, {Slab{.dimensions = {{r * 8, 32, 10, 8}}}}));
  }
  EXPECT_EQ(slab_words(grid, 4),
            "each rank a block of 16 x 16 of 32 x 32 elements (4 KiB), in a grid of 2 x 2");
  EXPECT_EQ(slab_words(rows, 8),
            "each of 4 ranks a block of 100 of 400 elements (4 KiB), one behind the other");
  EXPECT_EQ(slab_words(same, 4), "each rank the same: all 7 x 5 elements (4 KiB)");
  EXPECT_EQ(slab_words(uneven, 4),
            "each rank a block of 10 x 5 to 12 x 5 of 42 x 5 elements (400 bytes to 480 bytes), one behind "
            "the other");
  EXPECT_EQ(slab_words(turns, 4), "ranks take turns, 8 elements at a time (4 KiB)");
  std::swap(rows[1].rank, rows[2].rank);
  EXPECT_EQ(slab_words(rows, 4),
            "each rank a block of 100 of 400 elements (4 KiB), in another order of ranks");
  std::swap(rows[1].rank, rows[2].rank);
  rows[3].walk.first.dimensions[0].start = 310;
  EXPECT_EQ(slab_words(rows, 4), "each rank a block of 100 of 400 elements (4 KiB), with gaps between them");
  turns[1].walk.first.dimensions[0].start = 9;
  EXPECT_EQ(slab_words(turns, 4), "each rank 10 pieces of 8 elements, one every 32 (4 KiB)");
  EXPECT_EQ(slab_words({walk_of(3, {block_at({0}, {1}, {1})}, 4)}, 4),
            "rank 3 alone: the one element (4 bytes)");
  EXPECT_EQ(slab_words({walk_of(0, {Slab{}}, 4)}, 1), "all of it (4 bytes)");
  EXPECT_EQ(slab_words({}, 4), "");
}

TEST(SlabWords, SeveralAccesses) {
  std::vector<RankSlabs> steps, repeated, views;
  for (uint32_t r = 0; r < 2; ++r) {
    std::vector<Slab> rows, same, moved;
    for (int64_t i = 0; i < 10; ++i) {
      rows.push_back(block_at({i, r * 50}, {1, 50}, {10, 100}));
      same.push_back(block_at({r * 50}, {50}, {}));
      moved.push_back(block_at({0, r * 4}, {4, 4}, {4, 8}));
      moved.back().before = 1024 * i;
    }
    steps.push_back(walk_of(r, rows));
    repeated.push_back(walk_of(r, same));
    views.push_back(walk_of(r, moved));
  }
  EXPECT_EQ(slab_words(steps, 2),
            "each rank a block of 10 x 50 of 10 x 100 elements (40 KiB), one behind the other, in 10 pieces "
            "of 1 x 50");
  EXPECT_EQ(slab_words(repeated, 2),
            "each rank a block of 50 elements (4 KiB), one behind the other, 10 times");
  EXPECT_EQ(slab_words(views, 2),
            "each rank a block of 4 x 4 of 4 x 8 elements (4 KiB), one behind the other, 10 times, 1 KiB "
            "further on "
            "each time");
  views[0].walk.add_unknown(1);
  EXPECT_EQ(slab_words(views, 2), "each rank irregular parts (4 KiB to 40.0 KiB)");
}

TEST(SlabWalk, LeapsAreAsTurns) {
  SlabWalk all, leaped, before;
  for (int64_t i = 0; i < 9; ++i) {
    Slab here = block_at({3 * i, 7}, {2, 2}, {});
    all.add(here, 16);
    if (i < 2 || i == 8) leaped.add(here, 16);
    if (i == 0) before = leaped;
    if (i == 1) leaped.leap(before, 6);
  }
  EXPECT_EQ(all, leaped);
}

TEST(TypeLayout, OfWhatMpiMakes) {
  TypeLayout real = TypeLayout::element(8);
  EXPECT_EQ(real.run(), 1);
  EXPECT_EQ(repeated(real, 100)->run(), 100);
  KnownLayout columns = strided(real, 16, 4, 64, false);
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->run(), 0);
  EXPECT_EQ(columns->bytes(), 16 * 4 * 8);
  EXPECT_EQ(strided(real, 16, 4, 512, true)->slab, columns->slab) << "a distance in bytes";
  EXPECT_FALSE(strided(real, 16, 4, 13, true)) << "inside an element";
  EXPECT_FALSE(strided(real, 16, 4, 2, false)) << "blocks overlap";
  EXPECT_FALSE(strided(real, INT64_MAX, 4, 64, false));
  EXPECT_FALSE(cut(real, {4, 4}, {2}, {0, 0}));
  EXPECT_FALSE(cut(real, {INT64_MAX, 4}, {2, 2}, {0, 0}));
  EXPECT_EQ(cut(*repeated(real, 3), {4, 4}, {2, 2}, {0, 1})->slab, block_at({0, 3}, {2, 6}, {4, 12}));
}

TEST(TypeLayout, WhatIsSeenThroughIt) {
  TypeLayout real = TypeLayout::element(8);
  // Tiles of 400 elements, of which 100 are seen.
  TypeLayout tile = *cut(real, {400}, {100}, {200});
  EXPECT_EQ(seen_through(tile, 0, 800), block_at({200}, {100}, {400}));
  EXPECT_EQ(seen_through(tile, 80, 160), block_at({210}, {20}, {400})) << "a part of what is seen";
  Slab three{.dimensions = {{600, 400, 3, 100}}};
  EXPECT_EQ(seen_through(tile, 800, 2400), three) << "from the second tile on";
  EXPECT_FALSE(seen_through(tile, 400, 800)) << "half of two tiles";
  TypeLayout columns = *strided(real, 16, 4, 64, false);
  Slab some{.dimensions = {{64, 64, 3, 4}}};
  EXPECT_EQ(seen_through(columns, 32, 96), some);
  EXPECT_FALSE(seen_through(columns, 32, 16 * 32)) << "the next tile begins without a gap";
  TypeLayout plane = *cut(real, {8, 8}, {4, 4}, {0, 4});
  EXPECT_EQ(seen_through(plane, 0, 128), block_at({0, 4}, {4, 4}, {8, 8}));
  EXPECT_EQ(seen_through(plane, 256, 128)->before, 2 * 512);
  EXPECT_FALSE(seen_through(plane, 0, 64));
  EXPECT_FALSE(seen_through(plane, -8, 128));
}

}  // namespace
}  // namespace refrain::measure
