#include "merge/long_lists.hpp"

#include <gtest/gtest.h>

namespace refrain::merge {
namespace {

using trace::Column;
using trace::Form;
using trace::RankSet;
using trace::Value;

/// What HDF5 reads in four segments of 16 blocks: a piece of its index before each.
std::vector<int64_t> reads_of(int64_t rank) {
  std::vector<int64_t> list;
  for (int64_t segment = 0; segment < 4; ++segment) {
    list.push_back(680 + 720 * segment * segment);
    for (int64_t block = 0; block < 16; ++block)
      list.push_back(2048 + segment * 1000000 + rank * 65536 + block * 4096);
  }
  return list;
}

Value listed(const std::vector<int64_t>& list) {
  return {.form = Form::column, .column = std::make_shared<const Column>(Column::of(list))};
}

Value by_rank(uint32_t first, uint32_t ranks, std::vector<int64_t> (*list)(int64_t)) {
  Value v{.form = Form::by_rank};
  for (uint32_t rank = first; rank < ranks; ++rank)
    v.alternatives.push_back({RankSet::range(rank, 1), listed(list(rank))});
  return v;
}

TEST(LongLists, OfARuleAreOne) {
  for (uint32_t ranks : {3u, 64u}) {
    Value v = by_rank(0, ranks, reads_of);
    unite_long_lists(v);
    EXPECT_EQ(v.form, Form::column);
    EXPECT_EQ(v.entries.size(), 68u);
    for (uint32_t rank = 0; rank < ranks; ++rank)
      EXPECT_EQ(v.at(rank, rank).column->expand(), reads_of(rank)) << rank;
  }
}

TEST(LongLists, LeaveRanksApartThatHaveMore) {
  Value v = by_rank(1, 8, reads_of);
  std::vector<int64_t> longer = reads_of(0);
  longer.insert(longer.begin(), {0, 0, 16});
  v.alternatives.insert(v.alternatives.begin(), {RankSet::range(0, 1), listed(longer)});
  unite_long_lists(v);
  ASSERT_EQ(v.alternatives.size(), 2u);
  EXPECT_EQ(v.at(0, 0).column->expand(), longer);
  for (uint32_t rank = 1; rank < 8; ++rank)
    EXPECT_EQ(v.at(rank, rank).column->expand(), reads_of(rank)) << rank;
}

TEST(LongLists, KeepWhatEachRankAdds) {
  Value v{.form = Form::by_rank};
  v.alternatives.push_back({RankSet::of({0, 2}), listed(reads_of(0))});
  v.alternatives[0].value.base = trace::Number(Column::of({5, 7}));
  v.alternatives.push_back({RankSet::of({1, 3}), listed(reads_of(0))});
  v.alternatives[1].value.base = trace::Number(Column::of({6, 8}));
  unite_long_lists(v);
  ASSERT_EQ(v.form, Form::column);
  for (uint32_t rank = 0; rank < 4; ++rank) {
    std::vector<int64_t> expected = reads_of(0);
    for (int64_t& x : expected) x += 5 + rank;
    EXPECT_EQ(v.at(rank, rank).column->expand(), expected) << rank;
  }
}

TEST(LongLists, WithoutARuleStay) {
  Value v = by_rank(0, 8, [](int64_t rank) {
    std::vector<int64_t> list = reads_of(rank);
    list[40] = std::vector<int64_t>{7, 1, 900, 4, 33, 2, 8000, 11}[static_cast<size_t>(rank)];
    return list;
  });
  Value before = v;
  unite_long_lists(v);
  EXPECT_EQ(v, before);
}

}  // namespace
}  // namespace refrain::merge
