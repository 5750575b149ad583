#include "record/watched_maps.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace refrain::record {
namespace {

Handle slot(uint32_t n) { return {Handle::State::tracked, HandleClass::map, 0, n}; }

using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

Ranges ranges(const WatchedMaps& maps, uint64_t begin = 0, uint64_t end = ~uint64_t{0}) {
  Ranges found;
  maps.for_each(begin, end, [&](const WatchedMap& map) { found.emplace_back(map.begin, map.end); });
  return found;
}

class WatchedMapsTest : public testing::Test {
 protected:
  void add(uint64_t begin, uint64_t end, uint32_t n) {
    EXPECT_TRUE(maps_->add({.begin = begin, .end = end, .base = begin, .handle = slot(n), .by_page = true}));
  }
  std::unique_ptr<WatchedMaps> maps_ = std::make_unique<WatchedMaps>();
};

TEST_F(WatchedMapsTest, AreVisitedInTheOrderOfTheirHandles) {
  EXPECT_TRUE(maps_->empty());
  add(0x9000, 0xa000, 1);
  add(0x1000, 0x3000, 2);
  add(0x5000, 0x6000, 0);
  EXPECT_FALSE(maps_->empty());
  EXPECT_EQ(ranges(*maps_), (Ranges{{0x5000, 0x6000}, {0x9000, 0xa000}, {0x1000, 0x3000}}));
  EXPECT_EQ(ranges(*maps_, 0x2000, 0x9000), (Ranges{{0x5000, 0x6000}, {0x2000, 0x3000}}));
}

TEST_F(WatchedMapsTest, WhatIsCutOutOfTheMiddleLeavesTwoPartsWithOneBase) {
  add(0x1000, 0x9000, 0);
  maps_->cut(0x3000, 0x5000);
  EXPECT_EQ(ranges(*maps_), (Ranges{{0x1000, 0x3000}, {0x5000, 0x9000}}));
  maps_->for_each(0, ~uint64_t{0}, [](const WatchedMap& map) { EXPECT_EQ(map.base, 0x1000u); });
  maps_->cut(0, 0x2000);
  maps_->cut(0x8000, 0x20000);
  EXPECT_EQ(ranges(*maps_), (Ranges{{0x2000, 0x3000}, {0x5000, 0x8000}}));
  maps_->cut(0, 0x10000);
  EXPECT_TRUE(ranges(*maps_).empty());
}

TEST_F(WatchedMapsTest, AMappingEndsWithAllItsParts) {
  add(0x1000, 0x9000, 0);
  add(0x10000, 0x11000, 1);
  maps_->cut(0x3000, 0x5000);
  maps_->drop(slot(0));
  EXPECT_EQ(ranges(*maps_), (Ranges{{0x10000, 0x11000}}));
}

TEST_F(WatchedMapsTest, OnlyTheNamedPartLosesItsPages) {
  add(0x1000, 0x3000, 0);
  add(0x5000, 0x7000, 1);
  maps_->lose_pages(0x5000, 0x6000);
  std::vector<bool> by_page;
  maps_->for_each(0, ~uint64_t{0}, [&](const WatchedMap& map) { by_page.push_back(map.by_page); });
  EXPECT_EQ(by_page, (std::vector<bool>{true, false}));
}

TEST_F(WatchedMapsTest, ThereIsRoomForSoMany) {
  for (uint32_t n = 0; n < WatchedMaps::size; ++n) add(0x1000 * (n + 1), 0x1000 * (n + 2), n);
  EXPECT_FALSE(maps_->add({.begin = 0x1000, .end = 0x2000}));
  EXPECT_FALSE(maps_->add({}));
  maps_->clear();
  EXPECT_TRUE(maps_->empty());
}

}  // namespace
}  // namespace refrain::record
