#include "coordinate/slurm_command.hpp"

#include <gtest/gtest.h>

namespace refrain::coordinate {
namespace {

TEST(SlurmCommand, TakesOutputAndExitCode) {
  Result<CommandOutcome> done =
      run_command({"sh", "-c", "cat; echo out; echo 'squeue: error: no way' >&2; exit 3"});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 3);
  EXPECT_EQ(done->out, "out\n");
  EXPECT_EQ(done->complaint(), "no way");
  done = run_command({"sh", "-c", "kill -9 $$"});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->complaint(), "exit code 137");
}

TEST(SlurmCommand, LimitsHold) {
  EXPECT_FALSE(run_command({"/no/such/program"}));
  Result<CommandOutcome> slow = run_command({"sleep", "100"}, {.time = std::chrono::milliseconds(50)});
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().text(), "sleep: did not answer in time");
  EXPECT_FALSE(run_command({"yes"}, {.bytes = 100'000}));
  Result<CommandOutcome> long_text =
      run_command({"sh", "-c", "yes | head -c 1000000; yes >&2 | head -c 0"},
                  {.bytes = 2'000'000, .time = std::chrono::milliseconds(5000)});
  EXPECT_FALSE(long_text);  // both streams count
}

}  // namespace
}  // namespace refrain::coordinate
