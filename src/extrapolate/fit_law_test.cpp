// Laws that programs have, at a few numbers of ranks: the search must find one that is right at numbers it
// hasn't seen, or say that there is doubt.
#include "extrapolate/fit_law.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

using Law = std::function<int64_t(int64_t rank, int64_t nprocs)>;

Sequence sequence_of(const Law& law, const std::vector<int64_t>& sizes, const Law& guard = {}) {
  Sequence s;
  for (int64_t p : sizes) {
    Series series{.nprocs = p};
    for (int64_t r = 0; r < p; ++r) {
      if (guard && !guard(r, p)) continue;
      series.places.push_back(static_cast<uint32_t>(r));
      series.values.push_back(law(r, p));
    }
    if (!series.places.empty()) s.series.push_back(std::move(series));
  }
  return s;
}

/// Whether the law found at the sizes is right at the targets, on all ranks of the guard.
::testing::AssertionResult recovers(const Law& law, const std::vector<int64_t>& targets,
                                    const Law& guard = {},
                                    const std::vector<int64_t>& sizes = {6, 16, 27, 32, 60}) {
  Knowledge knowledge{Features(sizes)};
  std::vector<Candidate> found = fit(sequence_of(law, sizes, guard), knowledge);
  if (found.empty()) return ::testing::AssertionFailure() << "no law";
  for (int64_t p : targets)
    for (int64_t r = 0; r < p; ++r) {
      if (guard && !guard(r, p)) continue;
      int64_t is = found[0].law.at(RankExpression::Point{.rank = static_cast<uint32_t>(r), .nprocs = p});
      if (is != law(r, p))
        return ::testing::AssertionFailure() << found[0].law.text() << " at rank " << r << " of " << p
                                             << " is " << is << ", not " << law(r, p);
    }
  return ::testing::AssertionSuccess();
}

int64_t dims(int64_t p, int64_t n, int64_t i) { return trace::grid_extent(p, n, i); }
int64_t block_start(int64_t total, int64_t n, int64_t k) { return k * (total / n) + std::min(k, total % n); }
int64_t block_size(int64_t total, int64_t n, int64_t k) { return total / n + (k < total % n ? 1 : 0); }

const std::vector<int64_t> targets{7, 64, 72, 100, 343};

TEST(Fit, numbers_of_the_number_of_ranks) {
  EXPECT_TRUE(recovers([](int64_t, int64_t) { return 42; }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return p; }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return 96 * p + 2048; }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return dims(p, 3, 1) * 60; }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return dims(p, 3, 0) * dims(p, 3, 1) * 8; }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return trace::root_of(p, 2); }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return p * p * 8; }, targets));
  EXPECT_TRUE(recovers([](int64_t, int64_t p) { return (p + 3) / 4; }, targets));
}

TEST(Fit, weak_scaling) {
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r * 33554432 + 2048; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return (r + 1) % p; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return (r + p - 1) % p * 4096; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r * (r + 1) / 2 * 8; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return r == p - 1 ? 7 : 3; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r % 4 * 100 + r / 4 * 1000; }, targets));
}

TEST(Fit, grids) {
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return r % dims(p, 3, 2) * 60; }, targets));
  EXPECT_TRUE(
      recovers([](int64_t r, int64_t p) { return r / dims(p, 3, 2) % dims(p, 3, 1) * 100; }, targets));
  EXPECT_TRUE(
      recovers([](int64_t r, int64_t p) { return r / (dims(p, 3, 2) * dims(p, 3, 1)) * 300; }, targets));
  EXPECT_TRUE(recovers(
      [](int64_t r, int64_t p) { return r % dims(p, 2, 1) * 8 + r / dims(p, 2, 1) * p * 64; }, targets));
}

/// Where all runs have numbers of ranks that are multiples of the group's, extents of grids may equal it.
TEST(Fit, groups_of_four) {
  auto group = [](int64_t r, int64_t) { return r / 4; };
  auto place = [](int64_t r, int64_t) { return 10 * (r / 4) + 3 * (r % 4); };
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{8, 12, 20, 28}, {4, 8, 16, 32}, {6, 16, 27, 32}}) {
    EXPECT_TRUE(recovers(group, targets, {}, sizes));
    EXPECT_TRUE(recovers(place, targets, {}, sizes));
  }
}

TEST(Fit, strong_scaling) {
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return block_size(1000003, p, r) * 8; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return block_start(1000003, p, r) * 8 + 512; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t p) { return r * 1000003 / p; }, targets));
  EXPECT_TRUE(
      recovers([](int64_t r, int64_t p) { return (r + 1) * 1000003 / p - r * 1000003 / p; }, targets));
  EXPECT_TRUE(
      recovers([](int64_t r, int64_t p) { return r == p - 1 ? 5000 / p + 5000 % p : 5000 / p; }, targets));
}

TEST(Fit, uneven_shares_of_each_digit_and_their_sums) {
  EXPECT_TRUE(recovers(
      [](int64_t r, int64_t p) {
        int64_t x = dims(p, 2, 0), y = dims(p, 2, 1);
        return (block_start(5000, x, r / y) * 3007 + block_start(3007, y, r % y)) * 8;
      },
      targets));
}

TEST(Fit, conditions) {
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r == 0; }, targets));
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r % 8 == 7; }, targets));
  EXPECT_TRUE(
      recovers([](int64_t r, int64_t p) { return r % dims(p, 3, 2) + 1 < dims(p, 3, 2); }, {64, 72, 100}));
  EXPECT_TRUE(
      recovers([](int64_t r, int64_t p) { return r >= dims(p, 3, 2) * dims(p, 3, 1); }, {64, 72, 100}));
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r % 4 == 0; }, targets));
  EXPECT_TRUE(recovers(
      [](int64_t r, int64_t p) {
        int64_t groups = (p + 3) / 4, each = p / groups, more = p % groups, edge = more * (each + 1);
        return r < edge ? r % (each + 1) == 0 : (r - edge) % each == 0;
      },
      targets));
}

TEST(Fit, borders_of_a_grid) {
  EXPECT_TRUE(recovers(
      [](int64_t r, int64_t p) {
        int64_t y = dims(p, 2, 1);
        return r % y + 1 < y ? r + 1 : -2;
      },
      {64, 72, 100}));
}

TEST(Fit, ranks_that_are_left_out) {
  Law guard = [](int64_t r, int64_t) { return r % 8 == 0; };
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r / 8; }, targets, guard));
  EXPECT_TRUE(recovers([](int64_t r, int64_t) { return r / 8 * 65536 + 12; }, targets, guard));
}

TEST(Fit, numbers_without_a_law_have_none) {
  std::mt19937_64 random(5);
  Knowledge knowledge{Features({4, 8, 16, 32})};
  EXPECT_TRUE(fit(sequence_of([&](int64_t, int64_t) { return static_cast<int64_t>(random() % 100000); },
                              {4, 8, 16, 32}),
                  knowledge)
                  .empty());
}

TEST(Fit, what_the_last_rank_has_of_a_total) {
  auto last = [](int64_t r, int64_t p) { return r == p - 1; };
  auto rest = [](int64_t, int64_t p) { return (1000003 / p + 1000003 % p) * 8; };
  auto less = [](int64_t, int64_t p) { return 19456 - (p - 1) * ((19456 + p - 1) / p); };
  const std::vector<int64_t> some{7, 40, 64, 72};
  EXPECT_TRUE(recovers(rest, some, last, {4, 9, 23, 36}));
  EXPECT_TRUE(recovers(less, some, last, {4, 9, 23, 36}));
}

TEST(Fit, places_in_as_many_groups_at_all_sizes) {
  auto place = [](int64_t r, int64_t p) { return r % ((p + 3) / 4) * 100 + 100; };
  EXPECT_TRUE(recovers(place, targets));
  EXPECT_TRUE(recovers(place, targets, {}, {5, 8, 9, 24}));
}

}  // namespace
}  // namespace refrain::extrapolate
