// Runs of made-up programs at several sizes, extrapolated and compared with the program at other sizes.
#include "extrapolate/extrapolate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "compare/compare.hpp"
#include "extrapolate/advise.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"
#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using trace::Trace;

Result<Trace> extrapolated(const Program& program, const std::vector<uint32_t>& sizes) {
  std::vector<Trace> runs;
  for (uint32_t size : sizes) runs.push_back(run_of(program, size));
  return extrapolate(runs);
}

/// Whether the trace is that of the program at another number of ranks.
::testing::AssertionResult holds_at(const Trace& free, const Program& program, uint32_t nprocs) {
  auto here = scale::at_size(free, nprocs);
  if (!here) return ::testing::AssertionFailure() << here.error().text();
  auto compared = compare::compare(*here, run_of(program, nprocs));
  if (!compared) return ::testing::AssertionFailure() << compared.error().text();
  if (!compared->difference) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "event " << compared->difference->event << ": " << compared->difference->calls[0] << ", not "
         << compared->difference->calls[1];
}

std::vector<Node> writer(int64_t rank, int64_t nprocs) {
  std::vector<Node> nodes;
  if (rank == 0) nodes.push_back(call(0, nprocs));
  nodes.push_back(loop(8, {call(1, rank * 4096), call(2, (rank + 1) % nprocs)}));
  if (rank % 4 == 0) nodes.push_back(call(2, rank / 4));
  return nodes;
}

TEST(Extrapolate, guards_and_numbers) {
  auto free = extrapolated(writer, {6, 16, 27, 32});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {4u, 7u, 60u, 64u, 100u}) EXPECT_TRUE(holds_at(*free, writer, size)) << size;
}

std::vector<Node> gatherer(int64_t rank, int64_t nprocs) {
  std::vector<Node> nodes{call(0, 1)};
  int64_t share = 1000 / nprocs + (rank < 1000 % nprocs ? 1 : 0);
  nodes.push_back(loop(share, {call(1, 5)}));
  if (rank == 0) nodes.push_back(loop(nprocs - 1, {call(2, 3)}));
  return nodes;
}

TEST(Extrapolate, trip_counts) {
  auto free = extrapolated(gatherer, {6, 16, 27, 32});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {7u, 60u, 64u, 128u}) EXPECT_TRUE(holds_at(*free, gatherer, size)) << size;
}

/// All but the first and the last rank.
std::vector<Node> inner_ranks(int64_t rank, int64_t nprocs) {
  std::vector<Node> nodes{call(0, 1)};
  if (rank != 0 && rank != nprocs - 1) nodes.push_back(call(1, 3));
  return nodes;
}

TEST(Extrapolate, all_but_the_outer_ranks) {
  auto free = extrapolated(inner_ranks, {4, 8, 16});
  ASSERT_TRUE(free) << free.error().text();
  EXPECT_TRUE(holds_at(*free, inner_ranks, 100));
}

std::vector<Node> lawless(int64_t rank, int64_t nprocs) {
  uint64_t x = static_cast<uint64_t>(rank * 7919 + nprocs * 104729) * 0x9E3779B97F4A7C15u;
  return {call(1, static_cast<int64_t>(x >> 44))};
}

TEST(Extrapolate, what_has_no_law_is_refused_by_name) {
  auto free = extrapolated(lawless, {4, 8, 16, 32});
  ASSERT_FALSE(free);
  EXPECT_NE(free.error().text().find("write, arg1: no law for P=4: "), std::string::npos)
      << free.error().text();
}

/// Whether the trace is that of the program at another number of ranks, or isn't certain there.
bool right_or_in_doubt(const Program& program, const std::vector<uint32_t>& sizes, uint32_t target) {
  auto free = extrapolated(program, sizes);
  return !free || !scale::doubts_at_size(*free, target).empty() || holds_at(*free, program, target);
}

TEST(Extrapolate, what_single_runs_did_is_no_law) {
  Program rest = [](int64_t r, int64_t p) {
    int64_t block = (10007 + p - 1) / p;
    return r < p - 1 ? std::vector<Node>{} : std::vector<Node>{transfer(10007 - r * block, r * block)};
  };
  EXPECT_TRUE(right_or_in_doubt(rest, {4, 8, 16, 32}, 36));
  Program some = [](int64_t r, int64_t p) {
    return r % 6 != 0 ? std::vector<Node>{}
                      : std::vector<Node>{transfer((r + 1) * 1024 / p - r * 1024 / p, r * 1024 / p)};
  };
  EXPECT_TRUE(right_or_in_doubt(some, {8, 18, 30, 48}, 36));
  Program shifted = [](int64_t r, int64_t p) {
    return r % 7 != 0 ? std::vector<Node>{} : std::vector<Node>{call(1, (r + 7) % p)};
  };
  EXPECT_TRUE(right_or_in_doubt(shifted, {4, 9, 16, 25}, 343));
}

TEST(Extrapolate, volumes_of_uneven_blocks) {
  Program blocks = [](int64_t r, int64_t p) {
    int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), i = r / y, j = r % y;
    int64_t rows = 500 / x + (i < 500 % x ? 1 : 0), columns = 333 / y + (j < 333 % y ? 1 : 0);
    return std::vector<Node>{call(1, rows * columns * 8)};
  };
  auto free = extrapolated(blocks, {6, 16, 27, 32});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {60u, 100u}) EXPECT_TRUE(holds_at(*free, blocks, size)) << size;
}

/// Where part k of n begins.
int64_t begin_of(int64_t total, int64_t n, int64_t k) { return k * (total / n) + std::min(k, total % n); }
int64_t size_of(int64_t total, int64_t n, int64_t k) {
  return begin_of(total, n, k + 1) - begin_of(total, n, k);
}

TEST(Extrapolate, grids_are_those_of_what_is_around) {
  Program two_grids = [](int64_t r, int64_t p) {
    int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), i = r / y, j = r % y;
    int64_t start = begin_of(501, x, i) * 333 + begin_of(333, y, j);
    trace::Value width = trace::Value::constant(size_of(333, y, j) * 8);
    std::vector<Node> nodes{loop(size_of(501, x, i), {transfer(width, line(start * 8, 2664))})};
    int64_t b = trace::grid_extent(p, 3, 1), c = trace::grid_extent(p, 3, 2), k = r % c;
    Node corner =
        transfer(size_of(97, c, k), (r / c / b * b * 6000 + r / c % b * 100) * 97 + begin_of(97, c, k));
    corner.signature += 1;
    nodes.push_back(std::move(corner));
    return nodes;
  };
  auto free = extrapolated(two_grids, {4, 8, 16, 32});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {60u, 64u}) EXPECT_TRUE(holds_at(*free, two_grids, size)) << size;
  EXPECT_FALSE(scale::doubts_at_size(*free, 64).empty());
}

TEST(Extrapolate, what_all_get_of_a_total_that_leaves_a_rest) {
  Program total = [](int64_t, int64_t p) {
    return std::vector<Node>{call(1, 2000 / p * 2048), call(2, 1003 / p * p)};
  };
  auto free = extrapolated(total, {6, 16, 27, 32});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {60u, 64u}) EXPECT_TRUE(holds_at(*free, total, size)) << size;
}

TEST(Extrapolate, ranks_that_act_for_others) {
  auto members = [](int64_t first, int64_t p) { return std::min<int64_t>(4, p - first); };
  Program first = [=](int64_t r, int64_t p) {
    if (r % 4 != 0) return std::vector<Node>{};
    return std::vector<Node>{transfer(members(r, p) * 1000, r * 1000)};
  };
  Program last = [=](int64_t r, int64_t p) {
    int64_t begin = r / 4 * 4, n = members(begin, p);
    if (r != begin + n - 1) return std::vector<Node>{};
    return std::vector<Node>{transfer(n * 1000, begin * 1000)};
  };
  Program far_apart = [](int64_t r, int64_t p) {
    int64_t apart = p / 4;
    if (r % apart != 0 || r / apart >= 4) return std::vector<Node>{};
    return std::vector<Node>{call(0, r / apart)};
  };
  Program in_rows = [](int64_t r, int64_t p) {
    int64_t row = trace::root_of(p, 2);
    return std::vector<Node>{call(0, r / row), transfer(100, r % row * 100)};
  };
  for (const Program& program : {first, last, far_apart, in_rows}) {
    auto free = extrapolated(program, {6, 16, 27, 32});
    ASSERT_TRUE(free) << free.error().text();
    for (uint32_t size : {36u, 61u, 64u, 343u}) {
      EXPECT_TRUE(holds_at(*free, program, size)) << size;
      EXPECT_TRUE(scale::doubts_at_size(*free, size).empty())
          << size << ": " << scale::doubts_at_size(*free, size)[0];
    }
  }
}

TEST(Extrapolate, neighbors_in_grids) {
  Program around = [](int64_t r, int64_t p) {
    int64_t row = trace::grid_extent(p, 2, 1);
    return std::vector<Node>{call(0, (r + p - row) % p), call(1, r + row < p ? r + row : -1)};
  };
  auto free = extrapolated(around, {6, 16, 27, 32});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {36u, 61u, 64u, 343u}) EXPECT_TRUE(holds_at(*free, around, size)) << size;
}

TEST(Extrapolate, what_has_no_law_is_refused) {
  Program lawless = [](int64_t r, int64_t p) {
    return std::vector<Node>{call(0, (r * r * 7 + p * p * 13) % 101)};
  };
  auto free = extrapolated(lawless, {4, 9, 16, 25});
  ASSERT_FALSE(free);
  EXPECT_NE(free.error().text().find("open, arg1: no law for P=4: 6 13 34 69"), std::string::npos)
      << free.error().text();
}

TEST(Extrapolate, rounds_of_a_binomial_tree) {
  Program tree = [](int64_t r, int64_t p) {
    int64_t n = 0;
    for (int64_t bit = 1; bit < p && (r & bit) == 0; bit <<= 1) n += r + bit < p ? 1 : 0;
    return std::vector<Node>{call(0, n)};
  };
  auto free = extrapolated(tree, {4, 9, 16, 25});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t size : {36u, 64u, 100u}) EXPECT_TRUE(holds_at(*free, tree, size)) << size;
}

TEST(Extrapolate, needs_runs_of_different_sizes) {
  EXPECT_FALSE(extrapolated(writer, {4, 8}));
  EXPECT_FALSE(extrapolated(writer, {4, 8, 8}));
}

TEST(Advise, further_runs_tell_laws_apart_with_few_ranks) {
  trace::Trace free;
  free.sizes = {4, 8, 16, 32};
  const RankExpression p = RankExpression::nprocs();
  auto doubt = [](const RankExpression& chosen, const RankExpression& other) {
    return trace::Doubt{.where = "x", .reason = "y", .chosen = chosen, .other = other};
  };
  auto number = [](int64_t n) { return RankExpression::constant(n); };
  EXPECT_TRUE(further_runs(free, {}).sizes.empty());
  // One run that isn't a multiple of 4 tells both; 5 is the smallest.
  free.doubts = {doubt(p / 4, (p + number(3)) / 4), doubt(p % 2, number(0))};
  EXPECT_EQ(further_runs(free, {}).sizes, std::vector<uint32_t>{5});
  // What can be recorded decides, and what no run would tell is counted.
  Recordable even{.most = 40, .only = RankExpression::equal(p % 2, number(0))};
  FurtherRuns runs = further_runs(free, even);
  EXPECT_EQ(runs.sizes, std::vector<uint32_t>{6});
  EXPECT_EQ(runs.open, 1u);
  // Where laws agree at the target, nothing needs to be known.
  EXPECT_TRUE(further_runs(free, {}, 64).sizes.empty());
  EXPECT_EQ(further_runs(free, {}, 61).sizes, std::vector<uint32_t>{5});
  // A doubt whether there is a law at all: the run that tells most quantities apart.
  free.doubts = {doubt(number(1), number(0))};
  ASSERT_EQ(further_runs(free, {}).sizes.size(), 1u);
  EXPECT_EQ(further_runs(free, {}).sizes[0], further_run(free.sizes, {}));
  // Where nothing looks alike, a larger run shows again what only the largest showed.
  EXPECT_GT(further_run({4, 9, 23, 36}, {}), 36u);
  EXPECT_EQ(further_run({4, 9, 23, 36}, {.most = 40}), 40u);
  // Then what is in between may be seen in one run only.
  EXPECT_EQ(further_run({4, 9, 23, 36, 48}, {}), 14u);
}

TEST(Advise, keeps_to_what_can_be_recorded) {
  Recordable fours{.most = 48, .only = RankExpression::equal(RankExpression::nprocs() % 4, RankExpression())};
  for (uint32_t size : advise(fours)) EXPECT_TRUE(size % 4 == 0 && size <= 48) << size;
  EXPECT_EQ(advise(fours).size(), 4u);
  EXPECT_EQ(advise({.most = 6}), (std::vector<uint32_t>{4, 5, 6}));
  EXPECT_EQ(further_run({4, 5, 6}, {.most = 6}), 2u);
  EXPECT_EQ(further_run({2, 3, 4, 5, 6}, {.most = 6}), 0u);
}

TEST(Advise, papers_choice_is_poor_and_ours_is_not) {
  EXPECT_GT(conflicts({8, 16, 24, 32}), 1u);
  EXPECT_EQ(advise({.most = 24}), (std::vector<uint32_t>{5, 8, 19, 24}));
  std::vector<uint32_t> sizes = advise({.most = 64});
  EXPECT_EQ(conflicts(sizes), 0u);
  EXPECT_EQ(sizes.size(), 4u);
}

}  // namespace
}  // namespace refrain::extrapolate
