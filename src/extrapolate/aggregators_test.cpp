// What a library does below collective calls: some ranks collect the data of all and write it in blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using trace::Trace;

std::vector<Node> collective(int64_t, int64_t) { return {loop(4, {call(1, 8192)})}; }

/// Which of so many aggregators a rank is; -1 if it is none.
using Who = int64_t (*)(int64_t rank, int64_t nprocs, int64_t aggregators);

int64_t first_ranks(int64_t rank, int64_t, int64_t aggregators) { return rank < aggregators ? rank : -1; }

int64_t first_of_groups(int64_t rank, int64_t nprocs, int64_t aggregators) {
  int64_t each = nprocs / aggregators, more = nprocs % aggregators;
  for (int64_t a = 0; a < aggregators; ++a)
    if (rank == a * each + std::min(a, more)) return a;
  return -1;
}

struct Buffering {
  Who who = first_ranks;
  int64_t aggregators = 3;
  int64_t bytes = 8192;  ///< of each rank
  int64_t block = 65536;

  /// The file is cut at multiples of what each aggregator gets, rounded up.
  std::vector<Node> operator()(int64_t rank, int64_t nprocs) const {
    int64_t a = who(rank, nprocs, aggregators), all = bytes * nprocs;
    int64_t share = (all + aggregators - 1) / aggregators;
    if (a < 0 || a * share >= all) return {};
    return {call(0, 5), in_blocks(a * share, std::min(share, all - a * share), block)};
  }
};

Result<Trace> extrapolated(const Program& below, const std::vector<uint32_t>& sizes,
                           const Options& options = {}) {
  std::vector<Trace> runs;
  for (uint32_t size : sizes) runs.push_back(run_of(collective, size, below));
  return extrapolate(runs, options);
}

bool has_layer(const Trace& trace) {
  const std::vector<trace::Stream>& streams = trace.processes[0].streams;
  return std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.layer == "posix"; });
}

/// Whether the trace, layers included, is that of the program at a number of ranks.
bool same_at(const Trace& free, const Program& below, uint32_t nprocs) {
  auto here = scale::at_size(free, nprocs);
  if (!here) return false;
  auto compared = compare::compare(*here, run_of(collective, nprocs, below), {.layers = true});
  return compared && !compared->difference;
}

void expect_law(const Program& below, const std::vector<uint32_t>& sizes,
                const std::vector<uint32_t>& targets, const Options& options = {}) {
  auto free = extrapolated(below, sizes, options);
  ASSERT_TRUE(free) << free.error().text();
  ASSERT_TRUE(has_layer(*free)) << free->notes[0];
  for (uint32_t target : targets) EXPECT_TRUE(same_at(*free, below, target)) << target;
}

TEST(Aggregators, share_a_file_that_grows) {
  for (int64_t k : {1, 2, 3, 4})
    expect_law(Buffering{first_ranks, k, 8192, 32768}, {6, 16, 27, 32}, {40, 60, 64, 100});
}

TEST(Aggregators, are_first_of_groups) {
  for (int64_t k : {2, 4}) expect_law(Buffering{first_of_groups, k}, {6, 16, 27, 32, 60}, {40, 64, 100});
}

TEST(Aggregators, write_blocks_and_a_rest) {
  for (int64_t block : {16384, 50000})
    expect_law(Buffering{first_ranks, 2, 10000, block}, {6, 16, 27, 32, 60}, {40, 64, 100, 343});
}

TEST(Aggregators, block_that_no_run_reached_is_given_by_hand) {
  Buffering below{first_ranks, 1, 8192, 1 << 20};
  expect_law(below, {6, 16, 27, 32}, {128, 129, 1000}, {.max_block = 1 << 20});
  auto free = extrapolated(below, {6, 16, 27, 32});
  ASSERT_TRUE(free);
  EXPECT_FALSE(same_at(*free, below, 129));
}

TEST(Aggregators, block_that_contradicts_a_run_is_named) {
  auto free = extrapolated(Buffering{first_ranks, 1, 8192, 1 << 20}, {6, 16, 27, 32}, {.max_block = 100000});
  ASSERT_TRUE(free);
  EXPECT_FALSE(has_layer(*free));
  EXPECT_NE(free->notes.at(0).find("the run of 16 ranks is not reproduced: rank 0, event 2: pwrite(100000"),
            std::string::npos)
      << free->notes[0];
}

TEST(Aggregators, what_has_no_law_is_left_out_by_name) {
  auto moody = [](int64_t rank, int64_t nprocs) -> std::vector<Node> {
    uint64_t x = static_cast<uint64_t>(rank * 7919 + nprocs * 104729) * 0x9E3779B97F4A7C15u;
    return {transfer(static_cast<int64_t>(x >> 44), 0)};
  };
  auto free = extrapolated(moody, {6, 16, 27, 32});
  ASSERT_TRUE(free) << free.error().text();
  EXPECT_FALSE(has_layer(*free));
  ASSERT_FALSE(free->notes.empty());
  EXPECT_NE(free->notes[0].find("layer posix, pwrite, arg1: no law for P=6: "), std::string::npos)
      << free->notes[0];
  auto here = scale::at_size(*free, 60);
  ASSERT_TRUE(here);
  auto compared = compare::compare(*here, run_of(collective, 60));
  ASSERT_TRUE(compared);
  EXPECT_FALSE(compared->difference);
}

/// Right, in doubt, or left out; never wrong without a word.
TEST(Aggregators, random_ones_are_right_or_in_doubt) {
  std::mt19937_64 random(7);
  auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  const std::vector<std::vector<uint32_t>> sets{{6, 16, 27, 32, 60}, {5, 8, 9, 24}, {4, 8, 16, 32}};
  int right = 0, doubtful = 0, left_out = 0;
  for (size_t round = 0; round < 16; ++round) {
    Buffering buffering{round % 4 == 3 ? first_of_groups : first_ranks, 1 + below(4), 512 * (1 + below(40)),
                        4096 * (1 + below(30))};
    const std::vector<uint32_t>& sizes = sets[round % sets.size()];
    auto free = extrapolated(buffering, sizes);
    ASSERT_TRUE(free) << free.error().text();
    for (uint32_t target : {40u, 64u, 100u}) {
      bool doubt = !scale::doubts_at_size(*free, target).empty();
      bool same = same_at(*free, buffering, target);
      if (!has_layer(*free)) {
        ++left_out;
        continue;
      }
      EXPECT_TRUE(same || doubt) << buffering.aggregators << " aggregators, " << buffering.bytes
                                 << " bytes, blocks of " << buffering.block << ", from " << sizes[0] << ".."
                                 << sizes.back() << " at " << target;
      ++(same && !doubt ? right : doubtful);
    }
  }
  RecordProperty("right", right);
  RecordProperty("doubtful", doubtful);
  RecordProperty("left_out", left_out);
  EXPECT_GT(right, left_out);
}

}  // namespace
}  // namespace refrain::extrapolate
