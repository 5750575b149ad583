// Runs of different programs, with different arguments, and of a program that is built anew for each run.
#include "extrapolate/one_program.hpp"

#include <gtest/gtest.h>

#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using trace::Trace;
using Words = std::vector<std::string>;

constexpr uint32_t numbers_of_ranks[] = {6, 16, 27, 32};

std::vector<Node> blocks(int64_t rank, int64_t nprocs) {
  return {call(0, nprocs), loop(4, {call(1, rank * 4096)})};
}

/// Runs of a program, each started by its words, the name of the program first.
std::vector<Trace> started(const Program& program, const std::vector<Words>& commands) {
  std::vector<Trace> runs;
  for (const Words& words : commands) {
    trace::Process& job = runs.emplace_back(run_of(program, numbers_of_ranks[runs.size()])).processes[0];
    job.program = words[0];
    job.arguments = words;
  }
  return runs;
}

std::string difference(const std::vector<Words>& commands) {
  return different_commands(started(blocks, commands)).value_or("none");
}

TEST(OneProgram, numbers_may_follow_from_ranks_and_directories_differ) {
  EXPECT_EQ(difference({{"/a/bt.6", "-n", "60", "/tmp/Xq/out"},
                        {"/b/bt.16", "-n", "160", "/tmp/yK/out"},
                        {"/c/bt.27", "-n", "270", "/tmp/za/out"},
                        {"/c/bt.32", "-n", "320", "out"}}),
            "none");
  EXPECT_EQ(difference({{"a"}, {"a"}, {"a"}, {"a"}}), "none");
}

TEST(OneProgram, what_differs_is_named) {
  EXPECT_EQ(difference({{"/x/a"}, {"/x/a"}, {"/x/b"}, {"/x/a"}}),
            "the program is \"/x/a\" at 6, 16 and 32 ranks, \"/x/b\" at 27 ranks");
  EXPECT_EQ(difference({{"a", "-n", "64"}, {"a", "-n", "64"}, {"a", "-n", "77"}, {"a", "-n", "64"}}),
            "argument 2 is \"64\" at 6, 16 and 32 ranks, \"77\" at 27 ranks");
  EXPECT_EQ(difference({{"a"}, {"a", "-v"}, {"a"}, {"a"}}),
            "argument 1 is \"\" at 6, 27 and 32 ranks, \"-v\" at 16 ranks");
}

TEST(OneProgram, different_arguments_are_refused_where_runs_part) {
  auto program = [](int64_t rank, int64_t nprocs) {
    std::vector<Node> nodes = blocks(rank, nprocs);
    if (nprocs == 27) nodes.insert(nodes.begin() + 1, call(2, 5));
    return nodes;
  };
  std::vector<Trace> runs = started(program, {{"a"}, {"a"}, {"a", "-r"}, {"a"}});
  auto refused = extrapolate(runs);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  EXPECT_EQ(
      refused.error().text(),
      "not runs of one program with the same arguments: argument 1 is \"\" at 6, 16 and 32 ranks, \"-r\" "
      "at 27 ranks; they part at read, which only the run of 27 ranks makes (--force if they are meant)");
  auto forced = extrapolate(runs, {.force = true});
  EXPECT_TRUE(forced || forced.error().kind == ErrorKind::limit);
  EXPECT_TRUE(extrapolate(started(blocks, {{"a", "-x"}, {"a", "-y"}, {"a"}, {"a"}})))
      << "all that they do follows laws without a doubt";
}

TEST(OneProgram, calls_align_when_their_addresses_differ) {
  auto program = [](int64_t rank, int64_t) {
    std::vector<Node> nodes;
    for (uint32_t site = 0; site < 3; ++site) {
      nodes.push_back(transfer(100, rank * 100));
      nodes.back().signature = 4 + site;
    }
    return nodes;
  };
  std::vector<Trace> runs = started(program, {{"a.6"}, {"a.16"}, {"a.27"}, {"a.32"}});
  for (Trace& run : runs)
    for (trace::Signature& s : run.signatures)
      if (s.site != 0) s.site = s.site * 1000 + run.nprocs;
  auto free = extrapolate(runs);
  ASSERT_TRUE(free) << free.error().text();
  EXPECT_TRUE(free->doubts.empty());
  EXPECT_EQ(free->processes[0].streams[0].nodes.size(), 3u);
}

}  // namespace
}  // namespace refrain::extrapolate
