// Programs with two laws that agree on the runs and differ elsewhere: whichever is taken, the other one is
// known, and a doubt says so wherever it makes a difference.
#include <gtest/gtest.h>

#include <algorithm>

#include "compare/compare.hpp"
#include "extrapolate/doubts.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "extrapolate/signs.hpp"
#include "scale/at_size.hpp"
#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using Nodes = std::vector<Node>;

/// Whether the program is right or in doubt at all these numbers of ranks.
void expect_known(const Program& program, const std::vector<uint32_t>& sizes, const std::string& what) {
  std::vector<trace::Trace> runs;
  for (uint32_t size : sizes) runs.push_back(run_of(program, size));
  auto free = extrapolate(runs, {.times = false});
  if (!free) return;
  for (uint32_t target : {36u, 60u, 64u, 100u, 343u}) {
    auto here = scale::at_size(*free, target);
    if (!here || !scale::doubts_at_size(*free, target).empty()) continue;
    auto compared = compare::compare(*here, run_of(program, target));
    ASSERT_TRUE(compared);
    EXPECT_FALSE(compared->difference) << what << " at " << target << ": " << compared->difference->calls[0]
                                       << ", not " << compared->difference->calls[1];
  }
}

const std::vector<uint32_t> powers{4, 8, 16, 32}, mixed{6, 16, 27, 32};

/// Calls of one rank only.
Program on_rank(int64_t (*who)(int64_t p), std::function<Node(int64_t r, int64_t p)> what) {
  return [=](int64_t r, int64_t p) { return r == who(p) ? Nodes{what(r, p)} : Nodes{}; };
}
int64_t first_rank(int64_t) { return 0; }
int64_t last_rank(int64_t p) { return p - 1; }

TEST(RivalLaws, a_share_of_a_product_and_a_product_of_shares) {
  auto extent = [](int64_t p, int64_t i) { return trace::grid_extent(p, 2, i); };
  auto rounded_down = [=](int64_t, int64_t p) {
    return transfer((1000 / extent(p, 0)) * (77824 / extent(p, 1)), 0);
  };
  auto rounded_up = [=](int64_t, int64_t p) {
    return transfer(65536 / extent(p, 0) * ((55440 + extent(p, 1) - 1) / extent(p, 1)), 0);
  };
  expect_known(on_rank(first_rank, rounded_down), powers, "rounded down");
  expect_known(on_rank(first_rank, rounded_up), powers, "rounded up");
  expect_known(on_rank(first_rank, rounded_up), mixed, "rounded up");
  auto both_rounded_up = [=](int64_t, int64_t p) {
    int64_t x = extent(p, 0), y = extent(p, 1);
    return transfer((55440 + x - 1) / x * ((1000003 + y - 1) / y), 0);
  };
  expect_known(on_rank(first_rank, both_rounded_up), {8, 18, 30, 48}, "with a rest in each run");
  auto everyone = [=](int64_t r, int64_t p) {
    int64_t rows = 1000 / extent(p, 0), columns = 77824 / extent(p, 1);
    return Nodes{transfer(rows * columns, r / extent(p, 1) * rows * 77824 + r % extent(p, 1) * columns)};
  };
  expect_known(everyone, powers, "on all ranks");
  auto first_columns = [=](int64_t r, int64_t p) {
    int64_t x = extent(p, 0), y = extent(p, 1), i = r / y, j = r % y;
    int64_t rows = 55440 / x, columns = 1024 / y + (j < 1024 % y ? 1 : 0);
    if (r % 4 != 0) return Nodes{};
    return Nodes{transfer(rows * columns, i * rows * 57344 + (j * (1024 / y) + std::min(j, 1024 % y)) * 8)};
  };
  expect_known(first_columns, powers, "on every fourth rank");
}

TEST(RivalLaws, totals_that_are_made_to_fit_one_rank) {
  auto rounded = [](int64_t r, int64_t p) {
    return transfer((r + 1) * 1024 / p - r * 1024 / p, r * 1024 / p);
  };
  expect_known(on_rank(last_rank, rounded), mixed, "rounded down");
  auto first_three = [=](int64_t r, int64_t p) {
    int64_t start = r * 1000 / p, size = (r + 1) * 1000 / p - start;
    return r < 3 ? Nodes{transfer(size, start)} : Nodes{};
  };
  expect_known(first_three, mixed, "on three ranks");
}

TEST(RivalLaws, less_for_last_ranks_that_no_run_shows) {
  auto rounded_up = [](int64_t r, int64_t p) {
    int64_t block = (777 + p - 1) / p;
    int64_t size = std::max<int64_t>(0, std::min(block, 777 - r * block));
    return r < p - 1 ? Nodes{transfer(size, r * block)} : Nodes{};
  };
  expect_known(rounded_up, powers, "rounded up");
  auto some_ranks = [](int64_t r, int64_t p) {
    int64_t block = (28749 + p - 1) / p, start = std::min(r * block, int64_t{28749});
    return r % 6 == 0 ? Nodes{transfer(std::min(block, 28749 - start), start)} : Nodes{};
  };
  expect_known(some_ranks, {5, 7, 12, 20}, "on every sixth rank");
}

TEST(RivalLaws, as_many_groups_as_a_root) {
  auto groups_of_seven = [](int64_t r, int64_t p) { return Nodes{transfer(8, r / ((p + 6) / 7))}; };
  expect_known(groups_of_seven, powers, "groups of 7");
}

TEST(RivalLaws, what_is_left_over_and_an_edge) {
  auto even = [](int64_t r, int64_t p) {
    int64_t rest = 10007 % p;
    return r % 2 == 0 && r > 0
               ? Nodes{transfer(10007 / p + (r < rest ? 1 : 0), 10007 / p * r + std::min(r, rest))}
               : Nodes{};
  };
  expect_known(even, {4, 9, 16, 25}, "more for the first, seen on even ranks");
}

TEST(RivalLaws, groups_of_which_no_run_shows_a_third) {
  auto files = [](int64_t r, int64_t) { return Nodes{call(0, r / 16), transfer(100, r % 16 * 100)}; };
  expect_known(files, {5, 8, 9, 24, 25}, "files of groups");
}

TEST(RivalLaws, the_rest_of_a_total_on_some_ranks) {
  auto odd = [](int64_t r, int64_t p) {
    int64_t size = 37000 / p + (r == p - 1 ? 37000 % p : 0);
    return r % 2 == 1 ? Nodes{transfer(size, r * (37000 / p))} : Nodes{};
  };
  expect_known(odd, mixed, "rest to the last");
  auto thirds = [](int64_t r, int64_t p) {
    int64_t size = 27000 / p + (r == p - 1 ? 27000 % p : 0);
    return r % 3 == 0 ? Nodes{transfer(size, r * (27000 / p))} : Nodes{};
  };
  expect_known(thirds, mixed, "a rest in a single run");
  auto last_is_never_one_of_them = [](int64_t r, int64_t p) {
    int64_t size = 1024 / p + (r == p - 1 ? 1024 % p : 0);
    return r % 3 == 0 ? Nodes{transfer(size, r * (1024 / p))} : Nodes{};
  };
  expect_known(last_is_never_one_of_them, mixed, "rest to the last, whom no run shows");
}

/// r/((p + n - 1)/n) for ranks below `end`.
Program in_groups(int64_t n, int64_t (*end)(int64_t p)) {
  return [=](int64_t r, int64_t p) { return r < end(p) ? Nodes{call(0, r / ((p + n - 1) / n))} : Nodes{}; };
}

TEST(RivalLaws, starts_that_are_rounded_down_and_those_of_equal_shares) {
  auto row = [](int64_t r, int64_t p) {
    int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), k = r % y;
    int64_t rows = 30720 / x + (r / y == x - 1 ? 30720 % x : 0),
            columns = 4096 / y + (k == y - 1 ? 4096 % y : 0);
    return k > 0 ? Nodes{transfer(rows * columns, r / y * (30720 / x) * 10007 + k * (4096 / y))} : Nodes{};
  };
  expect_known(row, mixed, "rest to the last");
}

TEST(RivalLaws, groups_as_large_as_ranks_need) {
  expect_known(in_groups(9, [](int64_t) -> int64_t { return 8; }), powers, "9 groups, first ranks");
  expect_known(in_groups(9, [](int64_t p) { return p / 2; }), powers, "9 groups, half of the ranks");
  auto some = [](int64_t r, int64_t p) { return r % 8 == 0 ? Nodes{call(0, r / ((p + 7) / 8))} : Nodes{}; };
  expect_known(some, mixed, "8 groups, some ranks");
  auto group = [](int64_t r, int64_t p) { return call(0, r / ((p + 5) / 6)); };
  expect_known(on_rank(last_rank, group), powers, "6 groups");
}

TEST(RivalLaws, of_which_few_values_are_known) {
  auto sixths = [](int64_t r, int64_t p) {
    int64_t size = 17000 / p + (r < 17000 % p ? 1 : 0);
    return r % 6 == 5 ? Nodes{loop(7, {transfer(size, r * (17000 / p) + std::min(r, 17000 % p))})} : Nodes{};
  };
  expect_known(sixths, mixed, "one more for the first");
  auto volume = [](int64_t, int64_t p) {
    int64_t rows = 55440 / trace::grid_extent(p, 3, 0), last = trace::grid_extent(p, 3, 2);
    return transfer(rows * 55440 * ((24576 + last - 1) / last), 0);
  };
  expect_known(on_rank(first_rank, volume), mixed, "extents that aren't all of P");
  auto group = [](int64_t r, int64_t p) { return call(0, r / ((p + 2) / 3)); };
  expect_known(on_rank(last_rank, group), powers, "two values");
}

TEST(RivalLaws, the_order_of_calls_that_no_rank_makes_both) {
  auto program = [](int64_t r, int64_t p) {
    Nodes nodes;
    if (r % 6 == 5) nodes.push_back(call(0, 7));
    if (r == p - 1) nodes.push_back(call(1, 8));
    return nodes;
  };
  expect_known(program, {4, 9, 16, 25}, "every sixth, then the last");
  auto reversed = [=](int64_t r, int64_t p) {
    Nodes nodes = program(r, p);
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  };
  expect_known(reversed, {4, 9, 16, 25}, "the last, then every sixth");
}

TEST(RivalLaws, groups_that_are_complete_in_all_runs) {
  auto last_of_pair = [](int64_t r, int64_t p) {
    return r % 2 == 1 || r == p - 1 ? Nodes{transfer(r % 2 == 1 ? 200 : 100, r / 2 * 200)} : Nodes{};
  };
  expect_known(last_of_pair, powers, "the last of each pair");
  auto first_of_pair = [](int64_t r, int64_t p) {
    return r % 2 == 0 ? Nodes{transfer(std::min<int64_t>(2, p - r) * 100, r * 100)} : Nodes{};
  };
  expect_known(first_of_pair, powers, "the first of each pair");
}

TEST(RivalLaws, quantities_that_are_the_same_in_all_runs) {
  auto above = [](int64_t r, int64_t p) {
    int64_t plane = trace::grid_extent(p, 3, 1) * trace::grid_extent(p, 3, 2);
    return Nodes{call(0, r < plane ? -1 : r - plane), call(1, r + plane < p ? r + plane : -1)};
  };
  expect_known(above, powers, "a plane of a cube, or a row of a square");
  auto block = [](int64_t r, int64_t p) {
    int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), i = r / y, j = r % y;
    int64_t rows = 19456 / x + (i < 19456 % x ? 1 : 0), columns = 983040 / y + (j < 983040 % y ? 1 : 0);
    int64_t row = i * (19456 / x) + std::min(i, 19456 % x),
            column = j * (983040 / y) + std::min(j, 983040 % y);
    return Nodes{transfer(rows * columns, row * 90063 + column)};
  };
  expect_known(block, mixed, "sides that are the same only where they matter");
  auto rounds = [](int64_t, int64_t p) {
    int64_t n = 0;
    while ((int64_t{1} << n) < p) ++n;
    return Nodes{call(0, n)};
  };
  expect_known(rounds, powers, "logarithm, rounded up");
  expect_known(rounds, {5, 8, 9, 24}, "logarithm, rounded up");
}

TEST(RivalLaws, lengths_that_only_ends_of_groups_tell) {
  auto ninths = [](int64_t r, int64_t) { return r % 4 == 3 ? Nodes{call(0, r / 9)} : Nodes{}; };
  expect_known(ninths, powers, "groups of nine");
  expect_known(on_rank(last_rank, [](int64_t r, int64_t) { return call(0, r / 7); }), mixed, "last rank");
  auto tenth = [](int64_t r, int64_t p) { return call(0, r / ((p + 9) / 10)); };
  expect_known(on_rank(last_rank, tenth), {5, 7, 12, 20}, "ten groups");
  expect_known(in_groups(5, [](int64_t p) { return p; }), mixed, "five groups, which no run has in full");
}

TEST(RivalLaws, pieces_of_what_is_shared) {
  auto pieces = [](int64_t r, int64_t p) {
    int64_t size = (r + 1) * 1000 / p - r * 1000 / p;
    return Nodes{loop((size + 15) / 16, {transfer(line(size, 0), line(r * 1000 / p, size))})};
  };
  expect_known(pieces, {5, 7, 12, 20}, "pieces of 16");
}

TEST(RivalLaws, partners_of_the_last_rank) {
  expect_known(on_rank(last_rank, [](int64_t r, int64_t) { return call(0, r ^ 1); }), powers, "partner");
}

TEST(RivalLaws, what_changes_once_and_an_extent) {
  // What changes once has two values at powers of two, as has the third extent of a grid.
  auto everyone = [](int64_t r, int64_t p) {
    return Nodes{transfer(std::min<int64_t>(p, 8) * 128, r * 1024)};
  };
  auto first_of_eight = [](int64_t r, int64_t p) {
    return r % 8 == 0 ? Nodes{transfer(std::min<int64_t>(p - r, 8) * 256, r * 256)} : Nodes{};
  };
  auto some = [](int64_t r, int64_t p) {
    return r % 8 == 0 ? Nodes{transfer(std::min<int64_t>(p, 8) * 256, r * 256)} : Nodes{};
  };
  auto threshold = [](int64_t r, int64_t p) {
    return r % 8 == 0 ? Nodes{transfer(p < 8 ? 3000 : 5000, r * 5000)} : Nodes{};
  };
  for (const auto& sizes : {powers, mixed}) {
    expect_known(everyone, sizes, "on all ranks");
    expect_known(threshold, sizes, "from eight ranks on");
    expect_known(first_of_eight, sizes, "on the first of eight");
    expect_known(some, sizes, "on every eighth");
  }
}

TEST(RivalLaws, elements_of_several_bytes) {
  // All but the last have 4*(1000003/P), which is 4000012/P in all these runs.
  auto rest_to_last = [](int64_t r, int64_t p) {
    int64_t each = 1000003 / p, own = r == p - 1 ? each + 1000003 % p : each;
    Nodes nodes{transfer(own * 4, r * each * 4)};
    if (r == p - 1) nodes.push_back(call(0, 4000012));
    return nodes;
  };
  expect_known(rest_to_last, mixed, "rest to the last");
  // 24 bytes each, but what is rounded up is a multiple of 4 in all these runs.
  auto rounded_up = [](int64_t r, int64_t p) {
    int64_t each = (4096 + p - 1) / p, begin = std::min<int64_t>(4096, r * each);
    Nodes nodes{transfer((std::min<int64_t>(4096, begin + each) - begin) * 24, begin * 24)};
    if (r == p - 1) nodes.push_back(call(0, 4096 * 24));
    return nodes;
  };
  expect_known(rounded_up, {4, 9, 21, 32}, "rounded up");
}

TEST(RivalLaws, shares_of_aggregators) {
  // Three of them share 512 bytes of each rank: who has one more is told by their number, not by their rank.
  auto program = [](int64_t r, int64_t p) {
    int64_t apart = p / 3, a = r / apart, all = p * 512;
    if (r % apart != 0 || a >= 3) return Nodes{};
    return Nodes{transfer((a + 1) * all / 3 - a * all / 3, a * all / 3)};
  };
  expect_known(program, {5, 14, 27, 36}, "one more");
  expect_known(program, {5, 8, 17, 24}, "where they begin");
}

TEST(RivalLaws, ranks_for_which_nothing_is_left) {
  auto program = [](int64_t r, int64_t p) {
    int64_t each = (777 + p - 1) / p, begin = std::min<int64_t>(777, r * each);
    Nodes nodes{transfer((std::min<int64_t>(777, begin + each) - begin) * 24, begin * 24 + 4096)};
    if (r == p - 1) nodes.push_back(call(0, 777 * 24 + 4096));
    return nodes;
  };
  expect_known(program, {5, 12, 27, 38}, "rounded up");
}

TEST(RivalLaws, groups_that_few_ranks_show) {
  auto program = [](int64_t r, int64_t p) {
    return r % 8 == 0 ? Nodes{call(0, r / ((p + 6) / 7))} : Nodes{};
  };
  expect_known(program, {8, 18, 30, 48}, "seven groups");
}

TEST(RivalLaws, few_ranks_that_show_themselves) {
  Program program = [](int64_t r, int64_t) { return r % 4 == 0 ? Nodes{call(0, r)} : Nodes{}; };
  std::vector<trace::Trace> runs;
  for (uint32_t size : mixed) runs.push_back(run_of(program, size));
  auto free = extrapolate(runs, {.times = false});
  ASSERT_TRUE(free);
  for (uint32_t target : {14u, 60u, 100u})
    EXPECT_TRUE(scale::doubts_at_size(*free, target).empty()) << target;
}

TEST(RivalLaws, a_number_that_an_extent_is_in_all_runs) {
  auto program = [](int64_t r, int64_t p) {
    int64_t n = trace::grid_extent(p, 3, 1), inner = trace::grid_extent(p, 3, 2), k = r / inner % n;
    return Nodes{call(1, r + ((k + 1) % n - k) * inner)};
  };
  expect_known(program, {5, 12, 30, 42}, "neighbors");
}

TEST(Signs, are_known_where_the_form_tells) {
  const RankExpression p = RankExpression::nprocs(), grid = RankExpression::grid(p, 2, 0);
  for (const RankExpression& positive : {p, p * number(8) + place(), grid * number(3), place() + number(1)})
    EXPECT_TRUE(is_at_least(positive, 1)) << positive.text();
  for (const RankExpression& other : {place() * p, RankExpression::quotient(number(1000), p), place() % 8}) {
    EXPECT_FALSE(is_at_least(other, 1)) << other.text();
    EXPECT_TRUE(is_at_least(other, 0)) << other.text();
  }
  for (const RankExpression& unknown : {p - number(3), number(10) - place(), place() * number(-1)})
    EXPECT_FALSE(is_at_least(unknown, 0)) << unknown.text();
}

/// A trace can't keep expressions of any size.
TEST(RivalLaws, too_large_to_be_kept) {
  RankExpression small = place(), large = place();
  for (int i = 0; i < 10; ++i) large = large & large;
  std::vector<trace::Doubt> doubts{{"a", "b", small, number(3), small}, {"a", "b", small, large, large}};
  keep_within_bounds(doubts);
  EXPECT_EQ(doubts[0].chosen, small);
  EXPECT_EQ(doubts[0].other, number(3));
  EXPECT_EQ(doubts[0].ranks, small);
  EXPECT_EQ(doubts[1].chosen, number(1));
  EXPECT_EQ(doubts[1].other, number(0));
  EXPECT_EQ(doubts[1].ranks, number(1));
}

TEST(RivalLaws, pieces_of_one_side_of_a_block) {
  auto program = [](int64_t r, int64_t p) {
    int64_t x = trace::grid_extent(p, 2, 0), y = trace::grid_extent(p, 2, 1), up = (25641 + y - 1) / y;
    int64_t columns = std::min(up, 25641 - r % y * up), size = 1663200 / x * columns;
    if (r >= p / 2) return Nodes{};
    return Nodes{loop((columns + 127) / 128, {transfer(line(size, 0), line(r * 1000003, size))})};
  };
  expect_known(program, {8, 18, 30, 48}, "pieces of columns");
}

}  // namespace
}  // namespace refrain::extrapolate
