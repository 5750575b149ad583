// Expressions of columns: the acceptance patterns with the lengths of their texts, views of rank sets, and
// random members of every class on random rank sets.
#include "merge/express.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "base/test_rounds.hpp"
#include "merge/rank_patterns.hpp"

namespace refrain::merge {
namespace {

using patterns::Grid3;
using trace::Column;
using trace::RankExpression;
using trace::RankSet;
using Values = std::vector<int64_t>;

RankSet everyone(size_t ranks) { return RankSet::range(0, static_cast<uint32_t>(ranks)); }

/// Whether the expression has these values at these ranks.
bool exact(const RankExpression& e, const RankSet& set, const Values& values) {
  std::vector<uint32_t> ranks = set.expand();
  for (size_t i = 0; i < ranks.size(); ++i)
    if (e.at(ranks[i]) != values[i]) return false;
  return true;
}

/// The text for these ranks, or "table".
std::string text_of(const RankSet& ranks, const Values& values) {
  auto e = express(ranks, Column::of(values));
  if (!e) return "table";
  return exact(*e, ranks, values) ? e->text("r") : "wrong: " + e->text("r");
}
std::string text_of(const Values& values) { return text_of(everyone(values.size()), values); }

/// The text of a function of the rank on these ranks.
template <class Function>
std::string text_on(const RankSet& ranks, Function function) {
  Values values;
  for (uint32_t r : ranks.expand()) values.push_back(function(int64_t{r}));
  return text_of(ranks, values);
}

TEST(Express, AllPatternsAtTwoThousandRanks) {
  for (const patterns::Pattern& pattern : patterns::all) {
    Values values = patterns::column_of(pattern, 2048);
    auto e = express(everyone(2048), Column::of(values));
    ASSERT_EQ(e.has_value(), pattern.length > 0) << pattern.name;
    if (!e) continue;
    EXPECT_TRUE(exact(*e, everyone(2048), values)) << pattern.name << ": " << e->text("r");
    EXPECT_LE(e->length(), pattern.length) << pattern.name << ": " << e->text("r");
  }
}

TEST(Express, SomePatternsAtAMillionRanks) {
  constexpr int64_t million = 1 << 20;
  for (const patterns::Pattern& pattern : patterns::all) {
    if (pattern.name != "3D linear offset" && pattern.name != "even start" && pattern.name != "halo x+1" &&
        pattern.name != "bit reversal" && pattern.name != "random")
      continue;
    auto e = express(everyone(million), Column::of(patterns::column_of(pattern, million)));
    ASSERT_EQ(e.has_value(), pattern.length > 0) << pattern.name;
    if (!e) continue;
    EXPECT_LE(e->length(), pattern.length_at_a_million) << pattern.name << ": " << e->text("r");
  }
}

TEST(Express, ReadsWell) {
  auto pattern = [](std::string_view name) {
    auto* found =
        std::find_if(patterns::all.begin(), patterns::all.end(), [&](auto& p) { return p.name == name; });
    return text_of(patterns::column_of(*found, 2048));
  };
  EXPECT_EQ(pattern("3D linear offset"), "r%16*480+r/16%16*768000+r/256*3686400000");
  EXPECT_EQ(pattern("even start"), "r*1000000007/2048*8");
  EXPECT_EQ(pattern("rank%16==0"), "r%16==0");
  EXPECT_EQ(pattern("3D uneven size x"), "(r%16<3)+6250");
  EXPECT_EQ(pattern("Gray code"), "r^r/2");
  EXPECT_EQ(pattern("triangular"), "r*(r+1)*4");
  EXPECT_EQ(pattern("periodic table"), "[5, 1, 9, 9, 2, 0, 44, 3, 8, 100, 7, 6][r%12]+r/12*1000");
  EXPECT_EQ(pattern("halo z-1"), "r<256?-1:r-256");
}

TEST(Express, CornersAndRunningSumsOfVolumes) {
  EXPECT_EQ(text_on(everyone(256), [](int64_t r) { return r % 16 < 15 && r / 16 < 15 ? r + 17 : -2; }),
            "r%16<15&&r<240?r+17:-2");
  Values volumes;
  for (int64_t r = 0; r < 336; ++r)
    volumes.push_back(patterns::block_size(1000, 7, r % 7) * patterns::block_size(1001, 6, r / 7 % 6) *
                      patterns::block_size(777, 8, r / 42));
  EXPECT_EQ(text_of(volumes), "(143-r%7/6)*(167-r/7%6/5)*(r/42?97:98)");
  EXPECT_LE(text_of(patterns::running_sums(volumes)).size(), 100u);
  EXPECT_FALSE(text_of(patterns::running_sums(volumes)).starts_with("wrong"));
}

TEST(Express, FewRanks) {
  EXPECT_EQ(text_of({5}), "5");
  EXPECT_EQ(text_of({5, 3}), "5-r*2");
  EXPECT_EQ(text_of({0, 0, 1, 1}), "r/2");
  EXPECT_EQ(text_of({1, 0, 3, 2}), "r^1");
  EXPECT_EQ(text_of({1, 2, 3, 0}), "(r+1)%4");
  EXPECT_EQ(text_of({4096, 0, 0, 0}), "r?0:4096");
  EXPECT_EQ(text_of({5, 1, 7}), "table");
  EXPECT_EQ(text_of({5, 9, 1, 2}), "table");
  EXPECT_EQ(text_of({3, 1, 4, 1, 5, 9, 2, 6, 5, 3}), "table");
}

TEST(Express, RankSetsWithGaps) {
  RankSet strided = RankSet::of({0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176});
  EXPECT_EQ(text_on(strided, [](int64_t r) { return r * 3 + 1; }), "r*3+1");
  EXPECT_EQ(text_on(strided, [](int64_t r) { return r / 16; }), "r/16");
  EXPECT_EQ(text_on(strided, [](int64_t r) { return r / 16 % 4 * 100; }), "r/16%4*100");
  EXPECT_EQ(text_on(RankSet::of({1, 3, 5, 7, 9, 11}), [](int64_t r) { return r / 2 * 7; }), "r/2*7");
  EXPECT_EQ(text_on(RankSet::range(1, 2047), [](int64_t r) { return (r - 1) * 8; }), "r*8-8");
  EXPECT_EQ(text_on(RankSet::range(1, 2047), [](int64_t r) { return r % 16 * 60; }), "r%16*60");
  EXPECT_EQ(text_on(RankSet::range(1, 2047), [](int64_t r) { return r / 16 % 16 * 60; }), "r/16%16*60");
  EXPECT_EQ(text_on(RankSet::range(1, 2047), [](int64_t r) { return (r - 1) / 64; }), "(r-1)/64");
}

TEST(Express, NestedRankSetsAndSeveralBlocks) {
  std::vector<uint32_t> nested, others;
  for (uint32_t r = 0; r < 1024; ++r) (r % 16 < 4 ? nested : others).push_back(r);
  RankSet first_four = RankSet::of(nested), not_first_four = RankSet::of(others);
  EXPECT_EQ(text_on(first_four, [](int64_t r) { return r % 16 * 100 + r / 16 * 7; }), "r%16*100+r/16*7");
  EXPECT_EQ(text_on(first_four, [](int64_t r) { return r / 16 * 4 + r % 16; }), "r/16*4+r%16");
  EXPECT_EQ(text_on(first_four, [](int64_t r) { return 5 * r; }), "r*5");
  EXPECT_EQ(text_on(not_first_four, [](int64_t r) { return r % 16 * 100; }), "r%16*100");
  std::vector<uint32_t> two;
  for (uint32_t r = 0; r < 100; ++r) two.push_back(r);
  for (uint32_t r = 1000; r < 1100; ++r) two.push_back(r);
  EXPECT_EQ(text_on(RankSet::of(two), [](int64_t r) { return r < 500 ? r : 7; }), "r<1000?r:7");
  EXPECT_EQ(text_on(RankSet::of(two), [](int64_t r) { return r + 4; }), "r+4");
}

TEST(Express, LinesAreNotExpanded) {
  Column ten_to_the_nine({{5, 3, 1000000000, 0}}, {});
  auto e = express(RankSet::range(0, 1000000000), ten_to_the_nine);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->text("r"), "r*3+5");
  Column shifted({{5, 3, 500000000, 0}, {6, 3, 500000000, 0}}, {});
  EXPECT_FALSE(express(RankSet::range(0, 1000000000), shifted)) << "too many ranks to search";
}

/// A hostile trace may name many ranks in few bytes.
TEST(Express, HugeSetsAreGivenUpEarly) {
  ByteWriter out;
  out.varint(1);
  out.varint(0);
  out.varint(15);
  for (unsigned d = 15; d-- > 0;) {
    out.varint(2);
    out.varint(uint64_t{1} << (2 * d));
  }
  auto bytes = out.take();
  ByteReader in(bytes);
  RankSet deep = RankSet::read(in);
  ASSERT_EQ(deep.size(), 1u << 15);
  EXPECT_EQ(text_on(deep, [](int64_t r) { return 3 * r; }), "r*3");
  EXPECT_FALSE(text_on(deep, [](int64_t r) { return r % 1000; }).starts_with("wrong"));
  RankSet huge = RankSet::range(0, 1u << 30);
  auto e = express(huge, Column({{7, 0, 1u << 30, 0}}, {}));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->text(), "7");
  EXPECT_FALSE(express(huge, Column({{7, 1, 1u << 29, 0}, {9, 1, 1u << 29, 0}}, {})));
}

TEST(Express, ExtremesWrap) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  for (Values values :
       {Values{least, most, least, most, least, most}, Values{most, least, 0, -1, 1, most},
        Values{0, least, 0, least, 0, least, 0, least}, Values{least, least, most, most, 0, 0, 1},
        Values{least, 0, 0, 0, most, least, 0, 0, 0, most}})
    EXPECT_EQ(text_of(values).find("wrong"), std::string::npos);
  EXPECT_EQ(text_of({least, least, most, most}).find("wrong"), std::string::npos);
}

TEST(Express, IncompleteRowsAreNotReadBeyondTheirEnd) {
  EXPECT_FALSE(text_of({0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0}).starts_with("wrong"));
  EXPECT_FALSE(text_of({0, 0, 5, 0, 0, 7, 0, 0, 9, 0, 0}).starts_with("wrong"));
}

TEST(Express, WhatDoesNotBelongTogether) {
  EXPECT_FALSE(express(RankSet::range(0, 4), Column::of({1, 2, 3})));
  EXPECT_FALSE(express(RankSet(), Column()));
}

TEST(Express, PrefixSums) {
  Values sizes = patterns::random_sizes(500), sums = patterns::running_sums(sizes);
  for (int64_t& sum : sums) sum = sum * 8 + 512;
  EXPECT_FALSE(express(everyone(500), Column::of(sums)));
  auto e = express_as_prefix_sum(everyone(500), Column::of(sums), Column::of(sizes));
  ASSERT_TRUE(e);
  EXPECT_TRUE(exact(*e, everyone(500), sums));
  EXPECT_EQ(e->text({.rank = "r", .longest_table = 9}), "sum([… 500 values],r)*8+512");
  RankSet strided = RankSet::of({3, 7, 11, 15});
  e = express_as_prefix_sum(strided, Column::of({10, 15, 17, 24}), Column::of({5, 2, 7, 1}));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->text("r"), "sum([5, 2, 7, 1],r/4)+10");
  sums[77] += 1;
  EXPECT_FALSE(express_as_prefix_sum(everyone(500), Column::of(sums), Column::of(sizes)));
}

/// A function of the rank from one of the classes that programs use, with random numbers in it.
struct Random {
  std::mt19937_64 source;
  int64_t below(int64_t n) { return static_cast<int64_t>(source() % static_cast<uint64_t>(n)); }
};

using Function = std::function<int64_t(int64_t)>;

constexpr int classes = 23;
Function random_function(Random& random, int which, int64_t p, int64_t m) {
  int64_t a = 1 + random.below(100000), b = random.below(1000000);
  int64_t total = 1 + random.below(10000000), shift = random.below(p);
  Grid3 sides = patterns::balanced_grid(p);
  auto at = [sides](int64_t r) { return patterns::place(sides, r); };
  switch (which) {
    case 0:
      return [=](int64_t r) { return a * r + b; };
    case 1:
      return [=](int64_t r) { return a * at(r)[1] + b; };
    case 2:
      return [=](int64_t r) { return a * at(r)[0] + (a * 7 + 3) * at(r)[1] + (a * 131 + 17) * at(r)[2] + b; };
    case 3:
      return [=](int64_t r) {
        return a * (r % sides[2]) + (a * 9 + 1) * (r / sides[2] % sides[1]) +
               (a * 77 + 5) * (r / (sides[2] * sides[1]));
      };
    case 4:
      return [=](int64_t r) { return 8 * patterns::block_start(total, p, r) + b; };
    case 5:
      return [=](int64_t r) { return 8 * patterns::block_size(total, p, r); };
    case 6:
      return [=](int64_t r) { return 4 * (r * total / p) + b; };
    case 7:
      return [=](int64_t r) { return (r + shift) % p * a + b; };
    case 8:
      return [=](int64_t r) { return (r ^ (int64_t{1} << (shift % 7))) * a; };
    case 9:
      return [=](int64_t r) { return a * (r / m) + (a + 13) * (r % m); };
    case 10:
      return [=](int64_t r) { return patterns::block_start(total, sides[1], at(r)[1]); };
    case 11:
      return [=](int64_t r) {
        return patterns::block_size(1 + total % 5003 + sides[0], sides[0], at(r)[0]) *
               patterns::block_size(997 + sides[1], sides[1], at(r)[1]) *
               patterns::block_size(1009 + sides[2], sides[2], at(r)[2]);
      };
    case 12:
      return [=](int64_t r) { return r < shift ? a * r : b + r * 3; };
    case 13:
      return [=](int64_t r) { return int64_t{r % m == 0}; };
    case 14:
      return [=](int64_t r) { return at(r)[1] + 1 < sides[1] ? r + sides[0] : -1; };
    case 15:
      return [=](int64_t r) { return (r * m + 5) % (m * 3 + 1) * a; };
    case 16:
      return [=](int64_t r) { return (r + 1) * total / p - r * total / p; };
    case 17:
      return [=](int64_t r) { return r * (r + m) * a + b; };
    case 18:
      return [=](int64_t r) { return (p - r + shift) % p; };
    case 19:
      return [=](int64_t r) { return r == 0 ? b : r % m * a; };
    case 20:
      return [=](int64_t r) { return (r * total + b) / 1000; };
    case 21:
      return [=](int64_t r) { return at(r)[0] > 0 && at(r)[1] > 0 ? r - sides[0] - 1 : -2; };
    default:
      return [=](int64_t r) { return r - r % m + (r % m + 1) % m; };
  }
}

/// Ranks of a job that do something together: everyone, all but one, a side or the inside of the grid, the
/// leaders of groups or the others, two halves, or just some.
constexpr int kinds = 10;
RankSet random_set(Random& random, int64_t p, int64_t m, int kind) {
  std::vector<uint32_t> ranks;
  Grid3 sides = patterns::balanced_grid(p);
  for (int64_t r = 0; r < p; ++r) {
    Grid3 at = patterns::place(sides, r);
    bool in[kinds] = {true,       r > 0,      r<p - 1, at[0]> 0, at[1] + 1 < sides[1], at[2] == 0,
                      at[0] == 0, r % m == 0, r % m != 0,        random.below(3) > 0};
    if (in[kind]) ranks.push_back(static_cast<uint32_t>(r));
  }
  if (ranks.empty()) ranks.push_back(0);
  return RankSet::of(ranks);
}

/// On everyone, and on what one rank more or less leaves of everyone, no class may end in a table.
TEST(Express, RandomMembersOfAllClasses) {
  for (int seed = 0; seed < test_rounds(1500); ++seed) {
    Random random{std::mt19937_64(seed)};
    int which = static_cast<int>(seed % classes), kind = static_cast<int>(seed / classes % kinds);
    int64_t p = 2 + random.below(random.below(2) ? 200 : 3000), m = 2 + random.below(40);
    Function function = random_function(random, which, p, m);
    for (int k : {0, kind}) {
      RankSet set = random_set(random, p, m, k);
      std::string text = text_on(set, function);
      bool closed = text != "table" && text.size() <= 120;
      EXPECT_FALSE(text.starts_with("wrong")) << "class " << which << " on " << set.text() << ": " << text;
      EXPECT_TRUE(closed || p <= 30 || k > 2) << "class " << which << " on " << set.text() << ": " << text;
    }
  }
}

TEST(Express, NothingIsExactByChance) {
  Random random{std::mt19937_64(7)};
  for (int round = 0; round < test_rounds(300); ++round) {
    Values values(static_cast<size_t>(2 + random.below(60)));
    int64_t range = 1 + random.below(6);
    for (int64_t& v : values) v = random.below(range) * 10;
    EXPECT_FALSE(text_of(values).starts_with("wrong"));
    EXPECT_FALSE(
        text_of(random_set(random, static_cast<int64_t>(values.size()), 2, 0), values).starts_with("wrong"));
  }
}

}  // namespace
}  // namespace refrain::merge
