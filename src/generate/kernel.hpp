// A trace becomes an I/O kernel: a C program that makes the same calls, with what is needed to build it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "plan/only_data.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

struct Options {
  std::optional<size_t> process{};          ///< which one, if the trace holds several
  bool anonymize = false;                   ///< neutral names; see anonymize.hpp
  std::optional<plan::LeftOut> left_out{};  ///< what the trace leaves out of the recorded one, if anything
};

struct File {
  std::string name{};
  std::string text{};
};

struct Kernel {
  std::string name{};         ///< of the program
  size_t process = 0;         ///< whose calls it makes; of a tree, the first
  size_t processes = 1;       ///< of the tree
  std::vector<File> files{};  ///< the program first
  std::string doubt{};        ///< why files may differ from the recorded ones; empty if they don't
};

/// An error names the call that can't be printed, and why.
Result<Kernel> generate(const trace::Trace& trace, const Options& options);

}  // namespace refrain::generate
