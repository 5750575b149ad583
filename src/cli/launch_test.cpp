#include "cli/launch.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace refrain::cli {
namespace {

const std::vector<std::string> environment{"PATH=/usr/bin:/bin", "GREETING=hello"};

Outcome run_shell(const std::string& script) {
  Outcome outcome = launch({"sh", "-c", script}, environment);
  EXPECT_EQ(outcome.not_started, "");
  return outcome;
}

TEST(Launch, GivesTheExitCode) {
  EXPECT_EQ(run_shell("exit 0").exit_code, 0);
  EXPECT_EQ(run_shell("exit 37").exit_code, 37);
}

TEST(Launch, GivesExactlyTheEnvironment) {
  setenv("NOT_FOR_THE_CHILD", "1", 1);
  EXPECT_EQ(run_shell("test \"$GREETING\" = hello && test -z \"$NOT_FOR_THE_CHILD\"").exit_code, 0);
}

TEST(Launch, ReportsTheSignalThatKilled) {
  Outcome outcome = run_shell("kill -KILL $$");
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
}

TEST(Launch, TellsWhatCannotBeStarted) {
  Outcome missing = launch({"/no/such/program"}, environment);
  EXPECT_EQ(missing.exit_code, exit_not_found);
  EXPECT_EQ(missing.not_started, "/no/such/program: No such file or directory");
  EXPECT_EQ(launch({"/etc/passwd"}, environment).exit_code, exit_not_executable);
}

TEST(Launch, PassesTerminationOn) {
  // The shell ends itself by way of its parent: this program, which must not end with it.
  EXPECT_EQ(run_shell("trap 'exit 9' TERM; kill -TERM $PPID; sleep 5; exit 1").exit_code, 9);
}

TEST(Launch, LeavesKeyboardSignalsToTheCommand) {
  // Without protection the first signal would end this test program.
  EXPECT_EQ(run_shell("kill -INT $PPID; kill -QUIT $PPID; exit 4").exit_code, 4);
}

}  // namespace
}  // namespace refrain::cli
