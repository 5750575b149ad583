// Rank sets: every set survives, regular ones are short, equal ones are described equally.
#include "trace/rank_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace refrain::trace {
namespace {

std::vector<uint32_t> every(uint32_t first, uint32_t count, uint32_t stride) {
  std::vector<uint32_t> ranks;
  for (uint32_t k = 0; k < count; ++k) ranks.push_back(first + k * stride);
  return ranks;
}

TEST(RankSet, TextOfRegularSets) {
  EXPECT_EQ(RankSet().text(), "");
  EXPECT_EQ(RankSet::of({0}).text(), "0");
  EXPECT_EQ(RankSet::of(every(0, 2048, 1)).text(), "0..2047");
  EXPECT_EQ(RankSet::of(every(0, 128, 16)).text(), "0..2032 step 16");
  EXPECT_EQ(RankSet::of({5, 9, 10, 11, 12}).text(), "5, 9..12");
  std::vector<uint32_t> blocks;
  for (uint32_t b : every(0, 64, 16))
    for (uint32_t k = 0; k < 4; ++k) blocks.push_back(b + k);
  EXPECT_EQ(RankSet::of(blocks).text(), "(0..3) + 0..1008 step 16");
}

TEST(RankSet, RangeEqualsListing) {
  EXPECT_EQ(RankSet::range(3, 100), RankSet::of(every(3, 100, 1)));
  EXPECT_EQ(RankSet::range(3, 1), RankSet::of({3}));
  EXPECT_TRUE(RankSet::range(3, 0).empty());
}

TEST(RankSet, NestsThreeLevels) {
  std::vector<uint32_t> ranks;
  for (uint32_t z = 0; z < 5; ++z)
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 3; ++x) ranks.push_back(7 + x * 2 + y * 10 + z * 100);
  RankSet set = RankSet::of(ranks);
  ASSERT_EQ(set.blocks().size(), 1u);
  EXPECT_EQ(set.blocks()[0].levels, (std::vector<RankSet::Stride>{{5, 100}, {4, 10}, {3, 2}}));
  EXPECT_EQ(set.size(), 60u);
  EXPECT_EQ(set.expand(), ranks);
}

TEST(RankSet, RandomSetsSurvive) {
  std::mt19937 engine(11);
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(engine() % n); };
  for (int round = 0; round < 500; ++round) {
    std::set<uint32_t> truth;
    uint32_t range = 1 + below(300);
    for (uint32_t n = below(200); n > 0; --n) truth.insert(below(range));
    std::vector<uint32_t> ranks(truth.begin(), truth.end());
    std::vector<uint32_t> shuffled = ranks;
    std::shuffle(shuffled.begin(), shuffled.end(), engine);
    shuffled.insert(shuffled.end(), ranks.begin(), ranks.begin() + ranks.size() / 2);
    RankSet set = RankSet::of(shuffled);
    EXPECT_EQ(set.expand(), ranks);
    EXPECT_EQ(set.size(), ranks.size());
    EXPECT_EQ(set, RankSet::of(ranks));
    for (uint32_t r = 0; r < range + 2; ++r) EXPECT_EQ(set.contains(r), truth.count(r) == 1);
    ByteWriter w;
    set.write(w);
    ByteReader r(w.bytes());
    EXPECT_EQ(RankSet::read(r), set);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

RankSet read(std::initializer_list<uint64_t> numbers, const char*& reason) {
  ByteWriter w;
  for (uint64_t n : numbers) w.varint(n);
  ByteReader r(w.bytes());
  RankSet set = RankSet::read(r);
  reason = r.reason();
  return set;
}

TEST(RankSet, ReaderRefusesWhatCannotBe) {
  const char* reason = nullptr;
  read({1, RankSet::max_rank + 2, 0}, reason);
  EXPECT_STREQ(reason, "rank out of range");
  read({1, 0, 1, 4, 0}, reason);
  EXPECT_STREQ(reason, "malformed rank set");
  read({1, 0, 1, uint64_t{1} << 40, uint64_t{1} << 40}, reason);
  EXPECT_STREQ(reason, "malformed rank set");
  read({1, 0, 2, 3, 2, 4, 1}, reason);
  EXPECT_STREQ(reason, "malformed rank set");
  read({2, 0, 1, 4, 1, 3, 0}, reason);
  EXPECT_STREQ(reason, "rank intervals overlap");
  read({1000000}, reason);
  EXPECT_STREQ(reason, "more rank intervals than bytes");
}

std::vector<uint32_t> random_ranks(std::mt19937& engine, uint32_t limit) {
  auto random = [&](uint32_t n) { return static_cast<uint32_t>(engine() % n); };
  std::set<uint32_t> ranks;
  uint32_t stride = 1 + random(5), width = 1 + random(4);
  for (uint32_t r = random(4); r < limit; r += stride * width)
    for (uint32_t k = 0; k < width && random(16) != 0; ++k) ranks.insert(r + k * (1 + random(2)));
  if (ranks.empty()) ranks.insert(0);
  return {ranks.begin(), ranks.end()};
}

TEST(RankSet, PositionsAreThoseOfTheList) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint32_t> ranks = random_ranks(random, 150);
    RankSet set = RankSet::of(ranks);
    EXPECT_EQ(set.first(), ranks.front());
    EXPECT_EQ(set.last(), ranks.back());
    size_t k = 0;
    for (uint32_t r = 0; r < 160; ++r) {
      bool in = k < ranks.size() && ranks[k] == r;
      ASSERT_EQ(set.position(r), in ? std::optional<uint64_t>(k) : std::nullopt) << set.text() << " " << r;
      if (in) {
        EXPECT_EQ(set.at(k++), r);
      }
    }
  }
}

TEST(RankSet, UnionsOfNeighborsAndOfInterleavedSets) {
  std::mt19937 random(22);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint32_t> a = random_ranks(random, 80), b = random_ranks(random, 80), all;
    if (round % 2)
      for (uint32_t& r : b) r += 90;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    RankSet x = RankSet::of(a), y = RankSet::of(b);
    for (const RankSet& set : {x.united(y), y.united(x)}) {
      ASSERT_EQ(set.expand(), all);
      EXPECT_EQ(set.canonical(), RankSet::of(all));
      ByteWriter w;
      set.write(w);
      ByteReader in(w.bytes());
      EXPECT_EQ(RankSet::read(in), set) << "what unions give is well formed";
    }
  }
  EXPECT_EQ(RankSet().united(RankSet::of({4})), RankSet::of({4}));
  EXPECT_EQ(RankSet::of({4}).united(RankSet()), RankSet::of({4}));
}

TEST(RankSet, RegularSetsStayShortWhileTheyGrow) {
  for (auto [width, stride] : {std::pair{1u, 1u}, {1u, 16u}, {4u, 16u}, {2u, 4u}}) {
    std::vector<RankSet> parts;
    std::vector<uint32_t> all;
    for (uint32_t r = 0; r < 1024; ++r)
      if (r % stride < width) parts.push_back(RankSet::of({r})), all.push_back(r);
    for (size_t step = 1; step < parts.size(); step *= 2)
      for (size_t i = 0; i + step < parts.size(); i += 2 * step) parts[i] = parts[i].united(parts[i + step]);
    EXPECT_EQ(parts[0], RankSet::of(all)) << parts[0].text();
  }
}

RankSet random_set(std::mt19937& random, uint32_t ranks) {
  std::vector<uint32_t> all;
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  uint32_t first = below(5), step = 1 + below(6), run = 1 + below(step);
  for (uint32_t r = first; r < ranks; r += step)
    for (uint32_t k = r; k < std::min(r + run, ranks); ++k)
      if (random() % 64 != 0) all.push_back(k);
  if (all.empty()) all.push_back(0);
  return RankSet::of(std::move(all));
}

TEST(RankSet, IsWithinAnotherIfAllItsRanksAre) {
  std::mt19937 random(5);
  size_t within = 0;
  for (int round = 0; round < 4000; ++round) {
    auto ranks = static_cast<uint32_t>(1 + random() % 90);
    RankSet a = random_set(random, ranks), b = random_set(random, ranks);
    if (round % 2 == 0) b = b.united(a);
    std::vector<uint32_t> all = a.expand();
    bool is = std::all_of(all.begin(), all.end(), [&](uint32_t r) { return b.contains(r); });
    uint64_t steps = 1 << 20;
    EXPECT_EQ(a.is_within(b, steps), is) << a.text() << " in " << b.text();
    within += is;
  }
  EXPECT_GT(within, 2000u);
}

TEST(RankSet, IsWithinAnotherWithoutLookingAtEachRank) {
  auto set = [](std::vector<RankSet::Stride> levels) {
    ByteWriter w;
    w.varint(1), w.varint(16), w.varint(levels.size());
    for (auto [count, stride] : levels) w.varint(count), w.varint(stride);
    ByteReader in(w.bytes());
    return RankSet::read(in);
  };
  RankSet all = RankSet::range(0, 1u << 30), even = set({{1 << 28, 2}}), fourth = set({{1 << 27, 4}});
  RankSet rows = set({{1 << 20, 256}, {16, 1}}), corners = set({{1 << 19, 512}, {4, 4}});
  uint64_t steps = 100;
  EXPECT_TRUE(even.is_within(all, steps));
  EXPECT_TRUE(fourth.is_within(even, steps));
  EXPECT_FALSE(even.is_within(fourth, steps));
  EXPECT_TRUE(corners.is_within(rows, steps));
  EXPECT_FALSE(rows.is_within(corners, steps));
  EXPECT_FALSE(all.is_within(rows, steps));
  EXPECT_GT(steps, 80u);
}

}  // namespace
}  // namespace refrain::trace
