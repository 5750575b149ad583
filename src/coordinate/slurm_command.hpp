// Runs Slurm's programs and takes what they print, within bounds of size and time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace refrain::coordinate {

struct CommandLimits {
  size_t bytes = size_t{512} << 20U;  ///< of output
  std::chrono::milliseconds time{60'000};
};

struct CommandOutcome {
  int exit_code = 0;  ///< or 128 + signal
  std::string out{};
  std::string err{};

  /// The first line of what it complained about, without the program's name; or its exit code.
  std::string complaint() const;
};

/// Runs `words` (searched in PATH) with nothing to read and no signal blocked. Fails if it can't be started,
/// or goes beyond the limits; then it is killed.
Result<CommandOutcome> run_command(const std::vector<std::string>& words, const CommandLimits& limits = {});

}  // namespace refrain::coordinate
