// A process of a trace as the text of a C program: functions for the pieces of its streams, and a main that
// runs them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/table_file.hpp"
#include "generate/think_times.hpp"
#include "plan/inputs.hpp"
#include "trace/process_tree.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

struct ProgramText {
  std::string text() const { return definitions + startup + functions; }

  std::string definitions{};         ///< names, handles, tables
  std::string startup{};             ///< functions that run before the first data I/O, if there are many
  std::string functions{};           ///< the others, up to main
  std::vector<Thinking> think_ns{};  ///< before each call, in the order in which they are printed
  std::vector<trace::TimeModel> think_laws{};  ///< used instead for any number of ranks
  bool parallel = false;
  bool inputs = false;          ///< it needs files that it doesn't make
  std::string doubt{};          ///< why files may differ from the recorded ones
  size_t threads = 0;           ///< besides the main one
  TableFile::Written tables{};  ///< empty if all tables stand in the program
};

/// The place of a program among those of a tree of processes.
struct TreePlace {
  const trace::ProcessTree& tree;
  size_t number = 0;           ///< of its process there
  const plan::Inputs& inputs;  ///< of all processes together; the first one makes them
};

/// The name of the function that is the program of a process of a tree.
std::string process_function(size_t number);

/// Throws Refusal. `place`: null if the program is the only one.
ProgramText print_program(const trace::Trace& trace, const trace::Process& process, const TreePlace* place);

}  // namespace refrain::generate
