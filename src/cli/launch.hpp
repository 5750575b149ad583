// Runs a command in the foreground, as `time` or `env` would: it gets our terminal, streams and signals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::cli {

/// How a command ended.
struct Outcome {
  int exit_code = 0;  ///< its own, or 128 + the signal that killed it, or 126 or 127 if it never started
  int signal = 0;     ///< the signal that killed it, or 0
  std::string not_started;                     ///< why it could not be started; empty if it was
  uint64_t bytes_read = 0, bytes_written = 0;  ///< by it and those it waited for, by the kernel's count
};

/// Exit codes for commands that could not be started, as shells have them.
inline constexpr int exit_not_executable = 126;
inline constexpr int exit_not_found = 127;

/// Starts `command` (searched in PATH) with exactly this environment ("NAME=value") and waits for it.
/// Keyboard signals are left to the command; a SIGTERM or SIGHUP sent to us is passed on to it.
Outcome launch(const std::vector<std::string>& command, const std::vector<std::string>& environment);

}  // namespace refrain::cli
