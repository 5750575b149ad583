#include "fold/stream.hpp"

#include <gtest/gtest.h>

#include "base/test_rounds.hpp"
#include "fold/acceptance.hpp"

namespace refrain::fold {
namespace {

using acceptance::Random;
using Values = std::vector<int64_t>;

void expect_same(const Stream& stream, const Values& values) {
  ASSERT_EQ(stream.size(), values.size());
  ASSERT_EQ(stream.column().expand(), values);
  if (values.empty()) return;
  ASSERT_EQ(stream.back(), values.back());
  int64_t sum = 0;
  for (int64_t v : values) sum = trace::wrap_add(sum, v);
  ASSERT_EQ(stream.sum(), sum);
  int64_t constant = 0;
  if (stream.constant(constant)) {
    for (int64_t v : values) ASSERT_EQ(v, constant);
  }
}

/// Pieces of the kinds that occur: runs, two-dimensional patterns, periodic tables, noise.
Values piece(Random& random) {
  Values values;
  int64_t base = random.below(100), n = random.below(300), width = 1 + random.below(9);
  int64_t kind = random.below(5), step = random.below(7) - 3;
  for (int64_t i = 0; i < n; ++i) {
    switch (kind) {
      case 0:
        values.push_back(base + i * step);
        break;
      case 1:
        values.push_back(base + i / width * 100 + i % width);
        break;
      case 2:
        values.push_back(base + static_cast<int64_t>(mix64(static_cast<uint64_t>(i % width)) % 50));
        break;
      case 3:
        values.push_back(base + i / 24 * 7 + i / width % 3 * 50 + i % width);
        break;
      default:
        values.push_back(random.below(20));
    }
  }
  return values;
}

void append(Values& to, const Values& from) { to.insert(to.end(), from.begin(), from.end()); }

TEST(Stream, BehavesLikeAList) {
  for (int seed = 1; seed <= test_rounds(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Stream stream;
    Values model;
    uint64_t work = 0;
    for (int64_t operations = 1 + random.below(12); operations > 0; --operations) {
      Values values = piece(random);
      int64_t what = random.below(4);
      if (what <= 1) {
        for (int64_t v : values) stream.push(v);
        append(model, values);
      } else if (what == 2) {
        Stream other;
        for (int64_t v : values) other.push(v);
        stream.append(other, work);
        append(model, values);
      } else {
        auto n = static_cast<size_t>(random.below(model.size() + 1));
        Stream tail = stream.split_tail(n, work);
        Values model_tail(model.end() - static_cast<ptrdiff_t>(n), model.end());
        expect_same(tail, model_tail);
        model.resize(model.size() - n);
        if (random.below(2)) {
          stream.append(tail, work);
          append(model, model_tail);
        }
      }
      expect_same(stream, model);
      if (HasFailure()) return;
    }
  }
}

TEST(Stream, RegularValuesTakeNoSpace) {
  Stream run, grid, table;
  for (int64_t i = 0; i < 200000; ++i) {
    run.push(i * 3);
    grid.push(i / 100 * 5000 + i % 100);
    table.push(static_cast<int64_t>(mix64(static_cast<uint64_t>(i % 37)) % 1000));
  }
  EXPECT_EQ(run.memory(), 0u);
  EXPECT_LT(grid.memory(), 8192u);
  EXPECT_LT(table.memory(), 8192u);
  EXPECT_EQ(grid.column().items().size(), 1u);
}

TEST(Stream, KnowsConstants) {
  Stream s;
  int64_t value = 0;
  EXPECT_FALSE(s.constant(value));
  for (int i = 0; i < 3; ++i) s.push(9);
  EXPECT_TRUE(s.constant(value));
  EXPECT_EQ(value, 9);
  s.push(8);
  EXPECT_FALSE(s.constant(value));
}

/// Repeatedly taking back and adding the last value of a long periodic list must not rewrite it each time.
TEST(Stream, SplittingAPeriodicTailIsCheap) {
  Stream s;
  for (uint64_t i = 0; i < 40000; ++i) s.push(static_cast<int64_t>(mix64(i % 5000)));
  uint64_t work = 0;
  for (int i = 0; i < 20000; ++i) {
    Stream tail = s.split_tail(1, work);
    s.append(tail, work);
  }
  EXPECT_LT(work, 20000u * 40);
}

}  // namespace
}  // namespace refrain::fold
