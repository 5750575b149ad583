// A process of a trace as the text of a C program: functions for the pieces of its streams, and a main that
// runs them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::generate {

struct ProgramText {
  std::string text{};                          ///< from the first definition to main
  std::vector<uint64_t> think_ns{};            ///< before each call, in the order in which they are printed
  std::vector<trace::TimeModel> think_laws{};  ///< in place of those, for any number of ranks
  bool parallel = false;
  bool inputs = false;  ///< it needs files that it doesn't make
  size_t threads = 0;   ///< besides the main one
};

/// Throws Refusal.
ProgramText print_program(const trace::Trace& trace, const trace::Process& process);

}  // namespace refrain::generate
