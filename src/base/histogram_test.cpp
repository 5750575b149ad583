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

TEST(Histogram, BucketsComeOnBothSidesOfThoseInUse) {
  Histogram h = of({1000, 1000}), before = h;
  h.add(1);
  h.add(uint64_t{1} << 60);
  EXPECT_EQ(h.bucket(1), 1u);
  EXPECT_EQ(h.bucket(10), 2u);
  EXPECT_EQ(h.bucket(Histogram::bucket_count - 1), 1u);
  EXPECT_TRUE(before == of({1000, 1000}));
  before.merge(of({1, uint64_t{1} << 60}));
  EXPECT_TRUE(before == h);
  Histogram moved = std::move(before);
  before = h;
  before.add(0);
  EXPECT_TRUE(moved == h);
  EXPECT_EQ(before.bucket(0), 1u);
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

TEST(Histogram, RescaledKeepsTheShapeAndMovesTheMean) {
  Histogram h = of({100, 100, 100, 120, 1000, 1000, 5000, 5000});
  Histogram twice = h.rescaled(8, 2 * 12420.0 / 8);
  EXPECT_EQ(twice.sum_ns(), 2 * h.sum_ns());
  EXPECT_EQ(twice.min_ns(), 200u);
  EXPECT_EQ(twice.max_ns(), 10000u);
  EXPECT_DOUBLE_EQ(twice.sum_of_squares(), 4 * h.sum_of_squares());
  for (int b = 1; b < 20; ++b) EXPECT_EQ(twice.bucket(b + 1), h.bucket(b)) << b;
}

TEST(Histogram, RescaledBetweenPowersOfTwoLosesNoSample) {
  Histogram h = of({3, 70, 90, 1000, 1001, 40000, 70000, 1 << 20});
  for (double mean : {0.0, 0.4, 7.0, 1234.5, 1e6, 7.7e9, 1e30})
    for (uint64_t samples : {1u, 2u, 5u, 1000u, 123457u}) {
      Histogram other = h.rescaled(samples, mean);
      uint64_t sum = 0;
      for (int b = 0; b < Histogram::bucket_count; ++b) {
        sum += other.bucket(b);
        bool inside = b >= Histogram::bucket_of(other.min_ns()) && b <= Histogram::bucket_of(other.max_ns());
        EXPECT_TRUE(inside || other.bucket(b) == 0);
      }
      EXPECT_EQ(sum, samples);
      EXPECT_EQ(other.count(), samples);
      EXPECT_LE(other.min_ns(), other.max_ns());
    }
}

TEST(Histogram, RescaledWithoutAShapeIsFlat) {
  Histogram h = Histogram().rescaled(10, 50);
  EXPECT_EQ(h.sum_ns(), 500u);
  EXPECT_EQ(h.min_ns(), 50u);
  EXPECT_EQ(h.max_ns(), 50u);
  EXPECT_EQ(h.bucket(Histogram::bucket_of(50)), 10u);
  EXPECT_EQ(of({0, 0, 0}).rescaled(2, 9).sum_ns(), 18u);
  EXPECT_EQ(of({1, 2}).rescaled(0, 9).count(), 0u);
  EXPECT_EQ(of({1, 2}).rescaled(4, -9).sum_ns(), 0u);
}

}  // namespace
}  // namespace refrain
