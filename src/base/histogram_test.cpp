#include "base/histogram.hpp"

#include <gtest/gtest.h>

namespace refrain {
namespace {

Histogram of(std::initializer_list<uint64_t> samples) {
  Histogram h;
  for (uint64_t s : samples) h.add(s);
  return h;
}

TEST(Histogram, KeepsMomentsAndBuckets) {
  Histogram h = of({0, 1, 2, 3, 1000});
  EXPECT_EQ(h.count(), 5u);
  EXPECT_EQ(h.sum_ns(), 1006u);
  EXPECT_EQ(h.min_ns(), 0u);
  EXPECT_EQ(h.max_ns(), 1000u);
  EXPECT_EQ(h.bucket(0), 1u);
  EXPECT_EQ(h.bucket(1), 1u);
  EXPECT_EQ(h.bucket(2), 2u);
  EXPECT_EQ(h.bucket(10), 1u);
  EXPECT_DOUBLE_EQ(h.sum_of_squares(), 1000014.0);
}

TEST(Histogram, MergingEqualsAddingTogether) {
  Histogram a = of({5}), b = of({7, 900}), empty;
  a.merge(b);
  a.merge(empty);
  EXPECT_TRUE(a == of({5, 7, 900}));
  empty.merge(a);
  EXPECT_TRUE(empty == a);
}

TEST(Histogram, MergingASingleSampleEqualsAddingIt) {
  Histogram many = of({5, 7}), one = of({900});
  many.merge(one);
  EXPECT_TRUE(many == of({5, 7, 900}));
  one.merge(of({5, 7}));
  EXPECT_TRUE(one == of({900, 5, 7}));
}

TEST(Histogram, SplittingOffOneAtATimeKeepsTotals) {
  Histogram h = of({1, 1, 1000000, 0, 5, 70});
  uint64_t sum = 0;
  for (int i = 0; i < 6; ++i) {
    Histogram one = h.split(1);
    EXPECT_EQ(one.count(), 1u);
    sum += one.sum_ns();
  }
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(sum, 1000077u);
}

TEST(Histogram, SplitKeepsTotals) {
  Histogram h = of({10, 20, 30, 41});
  Histogram tail = h.split(3);
  EXPECT_EQ(tail.count() + h.count(), 4u);
  EXPECT_EQ(tail.sum_ns() + h.sum_ns(), 101u);
  uint64_t in_buckets = 0;
  for (int b = 0; b < Histogram::bucket_count; ++b) in_buckets += tail.bucket(b) + h.bucket(b);
  EXPECT_EQ(in_buckets, 4u);
}

TEST(Histogram, RoundTripsThroughBytes) {
  for (const Histogram& h : {of({}), of({42}), of({1, 1, 1 << 30, 0})}) {
    ByteWriter w;
    h.write(w);
    ByteReader r(w.bytes());
    EXPECT_TRUE(Histogram::read(r) == h);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

}  // namespace
}  // namespace refrain
