// The `refrain` program: finds the command, runs it, prints an error once, and gives the exit code:
// 0 done, 1 the answer is no, 2 wrong usage or bad input. `record` and `run` give their command's own exit
// code.
#pragma once

namespace refrain::cli {

/// With what `main` was given; returns what it is to return.
int run_command_line(int argc, char** argv);

}  // namespace refrain::cli
