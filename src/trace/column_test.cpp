#include "trace/column.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace refrain::trace {
namespace {

using Values = std::vector<int64_t>;

void expect_round_trip(const Column& column, size_t at_most) {
  ByteWriter w;
  column.write(w);
  EXPECT_LE(w.size(), at_most);
  EXPECT_EQ(column.encoded_size(), w.size());
  ByteReader r(w.bytes());
  Column back = Column::read(r);
  ASSERT_TRUE(r.ok()) << r.reason();
  EXPECT_EQ(r.left(), 0u);
  EXPECT_TRUE(back.same_values(column));
  EXPECT_TRUE(column.same_values(back));
}

/// ((0 1 2) (100 101 102)) three times, 1000 apart, then 7 7.
Column nested() { return Column({{5, 1000, 3, 2}, {7, 0, 2, 0}}, {{{0, 1, 3, 0}}, {{0, 100, 2, 1}}}); }

TEST(Column, WalksNestedBodies) {
  Column c = nested();
  Values expected;
  for (int64_t a : {5, 1005, 2005})
    for (int64_t b : {0, 100})
      for (int64_t k = 0; k < 3; ++k) expected.push_back(a + b + k);
  expected.insert(expected.end(), {7, 7});
  ASSERT_EQ(c.size(), expected.size());
  EXPECT_EQ(c.expand(), expected);
  EXPECT_EQ(c.expand(4), Values(expected.begin(), expected.begin() + 4));
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(c.at(i), expected[i]) << i;
  Column::Cursor cursor(c);
  for (int64_t v : expected) EXPECT_EQ(cursor.next(), v);
  EXPECT_TRUE(cursor.done());
  EXPECT_TRUE(c.same_values(Column::of(expected)));
  expected.back() = 8;
  EXPECT_FALSE(c.same_values(Column::of(expected)));
  expect_round_trip(c, 40);
}

TEST(Column, NextRunReturnsTheRestOfARun) {
  Column c({{10, 5, 4, 0}}, {});
  Column::Cursor cursor(c);
  EXPECT_EQ(cursor.next(), 10);
  EXPECT_EQ(cursor.next_run(), (Item{15, 5, 3, 0}));
  EXPECT_TRUE(cursor.done());
  EXPECT_TRUE(Column::Cursor(Column()).done());
}

TEST(Column, KnowsWhetherItsItemsAreTheRunsOfItsValues) {
  Column cut({{5, 0, 1, 0}, {8, 1, 2, 0}, {10, 1, 3, 0}, {7, 0, 1, 0}}, {});
  Column runs = Column::of({5, 8, 9, 10, 7, 7, 7, 1});
  for (const Column& c :
       {nested(), cut, runs, Column({{1, 2, 3, 0}}, {}), Column({{1, 2, 1, 0}}, {}), Column()}) {
    bool same = c.bodies().empty() && c.items() == Column::of(c.expand()).items();
    EXPECT_EQ(c.has_longest_runs(), same);
  }
  EXPECT_TRUE(runs.has_longest_runs());
}

TEST(Column, FindsTheFrequentValueAmongManyOthers) {
  Values values(3000, 4096);
  for (size_t i = 0; i < 1000; ++i) values[i * 3] = static_cast<int64_t>(i * i);
  Column c = Column::of(values);
  expect_round_trip(c, 1000 * 5);
}

TEST(Column, PicksTheEncodingThatFits) {
  std::mt19937_64 random(7);
  Values sizes, offsets, colors, flags, mostly_small, below_forty, rarely;
  int64_t at = 1'000'000'000;
  for (int i = 0; i < 1000; ++i) {
    sizes.push_back(512 * static_cast<int64_t>(1 + random() % 64));
    offsets.push_back(at += 512 * static_cast<int64_t>(1 + random() % 64));
    colors.push_back(random() % 2 ? 3 : int64_t{1} << 40);
    flags.push_back(random() % 50 == 0);
    rarely.push_back(random() % 200 == 0 ? 4 : 5);
    below_forty.push_back(static_cast<int64_t>(random() % 40));
    mostly_small.push_back(static_cast<int64_t>(random() % 100 == 0 ? random() % (1 << 30) : random() % 100));
  }
  expect_round_trip(Column::of(sizes), 750 + 16);       // 6 bits each
  expect_round_trip(Column::of(offsets), 750 + 24);     // 6 bits per difference
  expect_round_trip(Column::of(below_forty), 672 + 8);  // 12 to a word
  expect_round_trip(Column::of(rarely), 12 + 12);       // 9 bits per exception
  expect_round_trip(Column::of(colors), 125 + 16);      // 1 bit each
  expect_round_trip(Column::of(flags), 40);             // a byte per exception
  expect_round_trip(Column::of(mostly_small), 1100);    // a byte each, and a few more
  expect_round_trip(Column({{0, 1, Column::max_size, 0}}, {}), 16);
}

TEST(Column, SurvivesExtremeValues) {
  constexpr int64_t low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
  for (const Values& v : {Values{}, Values{low}, Values{high, low}, Values{low, high, 0, -1, low},
                          Values{low, low + 2, low, high - 1}})
    expect_round_trip(Column::of(v), 64);
}

TEST(Column, RandomListsRoundTrip) {
  std::mt19937_64 random(11);
  for (int seed = 0; seed < 500; ++seed) {
    Values values;
    uint64_t range = uint64_t{1} << (random() % 64);
    size_t n = random() % 200;
    for (size_t i = 0; i < n; ++i)
      values.push_back(i > 0 && random() % 3 ? values.back() : static_cast<int64_t>(random() % range));
    expect_round_trip(Column::of(values), 10 * values.size() + 24);
    EXPECT_EQ(Column::of(values).expand(), values);
  }
}

TEST(Column, RefusesBadBytesInsteadOfTrustingThem) {
  std::mt19937_64 random(3);
  for (int seed = 0; seed < 20000; ++seed) {
    std::vector<uint8_t> bytes(random() % 40);
    for (auto& b : bytes) b = static_cast<uint8_t>(random() % 4 ? random() % 10 : random());
    ByteReader r(bytes);
    Column c = Column::read(r);
    EXPECT_TRUE(r.ok() || c.empty());
    EXPECT_LE(c.size(), Column::max_size);
    EXPECT_LE(c.items().size(), 8 * bytes.size() + 1);
    c.expand(1000);
    if (!c.empty()) c.at(c.size() - 1);
  }
}

TEST(Column, RefusesLyingLengths) {
  const uint8_t packed[] = {1, 0xff, 0xff, 0x7f, 0, 1, 1, 0xaa};
  ByteReader r(packed);
  EXPECT_TRUE(Column::read(r).empty());
  EXPECT_STREQ(r.reason(), "bad packed column");
  const uint8_t own_body[] = {0, 1, 1, 2, 0, 0, 2, 0};  // body 1 refers to itself
  ByteReader s(own_body);
  Column::read(s);
  EXPECT_STREQ(s.reason(), "no such body");
}

}  // namespace
}  // namespace refrain::trace
