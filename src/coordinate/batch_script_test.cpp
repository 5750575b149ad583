#include "coordinate/batch_script.hpp"

#include <gtest/gtest.h>

#include "coordinate/sbatch_options.hpp"
#include "coordinate/slurm_command.hpp"

namespace refrain::coordinate {
namespace {

using Words = std::vector<std::string>;

TEST(SbatchOptions, TheScriptIsWhereOptionsEnd) {
  SbatchLine line = split_sbatch_line(
      {"-N", "4", "--time=10", "--hold", "-vn8", "-J", "-", "--mem", "5", "job.sh", "-N", "x"});
  EXPECT_EQ(line.options, (Words{"-N", "4", "--time=10", "--hold", "-vn8", "-J", "-", "--mem", "5"}));
  EXPECT_EQ(line.script, (Words{"job.sh", "-N", "x"}));
  EXPECT_EQ(split_sbatch_line({"--exclusive", "job.sh"}).script, (Words{"job.sh"}));
  EXPECT_EQ(split_sbatch_line({"-N4", "--", "-odd"}).script, (Words{"-odd"}));
  EXPECT_TRUE(split_sbatch_line({"-N4"}).script.empty());
  EXPECT_TRUE(split_sbatch_line({"--comment"}).script.empty());
  EXPECT_TRUE(split_sbatch_line({}).script.empty());
}

TEST(SbatchOptions, ValuesAreFoundByTheirLongNames) {
  OptionValues values =
      option_values({"-N", "4", "--ntasks-per-node=3", "-Qs", "-Jname", "--comment", "a b", "-N5"});
  EXPECT_EQ(values["nodes"], "5");
  EXPECT_EQ(values["job-name"], "name");
  EXPECT_EQ(values["comment"], "a b");
  EXPECT_TRUE(values.contains("oversubscribe"));
  EXPECT_EQ(ranks_asked(values), 15U);
  values["ntasks"] = "7";
  EXPECT_EQ(ranks_asked(values), 7U);
  EXPECT_FALSE(ranks_asked({{"nodes", "2-4"}, {"ntasks-per-node", "2"}}));
  EXPECT_FALSE(ranks_asked({{"ntasks", "many"}}));
  EXPECT_FALSE(ranks_asked({{"nodes", "4000000"}, {"ntasks-per-node", "4000"}}));
}

TEST(SbatchOptions, ScriptsHoldOptions) {
  EXPECT_EQ(
      script_options(
          "#!/bin/sh\n#SBATCH -N 4 # nodes\n\n# else\n#SBATCH --comment=\"a b\" -n'6'\necho\n#SBATCH -N 9\n"),
      (Words{"-N", "4", "--comment=a b", "-n6"}));
  EXPECT_EQ(script_options(""), Words{});
}

std::string ran(const std::string& script, const Words& arguments, const std::string& prelude = "") {
  Words words{"sh", "-c", prelude + script, "job"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Result<CommandOutcome> done = run_command(words);
  return done ? done->out + done->err : done.error().text();
}

TEST(BatchScript, RunsTheScriptWithItsArguments) {
  std::string user =
      "#!/bin/bash -e\n#SBATCH -N 2\necho \"$# $2 $HOME\" 'it''s'\n#SBATCH -N 3\nend of the job script\n";
  Result<std::string> text = wrapped_script({user, {"--exclusive"}, "/no/such/refrain", "", 0});
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("#!/bin/sh\n#SBATCH --exclusive\n#SBATCH -N 2\n# Written by"));
  std::string out = ran(*text, {"a", "b  c"}, "HOME=/h; export HOME\nscontrol() { return 1; }\n");
  EXPECT_TRUE(out.starts_with("2 b  c /h its\n")) << out;
  EXPECT_NE(out.find("end: command not found"), std::string::npos) << out;  // the script's own mistake
}

TEST(BatchScript, GoesUnderTheGateThatTheNoteNames) {
  Result<std::string> text =
      wrapped_script({"#!/usr/bin/env -S sh -u\necho hello", {}, "/bin/echo", "/home/a b/app.rfn", 8});
  ASSERT_TRUE(text);
  auto with_note = [&](const std::string& note) {
    std::string answer =
        "timeout() { echo 'JobId=7'; echo '   AdminComment=" + note + "'; echo '   Comment=x'; }\n";
    return ran(*text, {"x y"}, "REFRAIN_RUN_OPTIONS='--insecure --patience 3'\n" + answer);
  };
  EXPECT_EQ(with_note("refrain/1 on=io2 by=easy/1 io-node=2 coordinator=tcp://h:7"),
            "run --coordinator tcp://h:7 --io-node 2 --insecure --patience 3 --profile /home/a b/app.rfn "
            "--ranks 8 -- /usr/bin/env -S sh -u "
            "/dev/fd/9 x y\n");
  EXPECT_EQ(with_note("refrain/1 on=io2 by=easy/1 io-node=2"), "hello\n");
  EXPECT_EQ(with_note(""), "hello\n");
}

TEST(BatchScript, LeavesTheGateToAScriptThatHasOne) {
  Result<std::string> text = wrapped_script(
      {"#!/bin/sh\necho srun refrain run $REFRAIN_COORDINATOR $REFRAIN_IO_NODE", {}, "/bin/echo", "", 0});
  ASSERT_TRUE(text);
  EXPECT_EQ(ran(*text, {}, "timeout() { echo ' AdminComment=refrain/1 io-node=2 coordinator=ipc:///io'; }\n"),
            "srun refrain run ipc:///io 2\n");
}

/// Half a script must not run.
TEST(BatchScript, EndsIfTheScriptCantBeWritten) {
  Result<std::string> text = wrapped_script({"#!/bin/sh\necho hello", {}, "/no/such/refrain", "", 0});
  ASSERT_TRUE(text);
  EXPECT_EQ(ran(*text, {}, "cat() { return 1; }\n"), "");
  EXPECT_EQ(ran(*text, {}, "mktemp() { return 1; }\n"), "");
}

TEST(BatchScript, WhatIsNoScriptIsRefused) {
  for (const char* text : {"", "echo\n", "#!\n", "#! \n"})
    EXPECT_FALSE(wrapped_script({text, {}, "r", "", 0})) << text;
}

}  // namespace
}  // namespace refrain::coordinate
