// A trace reduced to the files that matter: those that move many bytes, with every call on them and on what
// they need. What is left is what a recorder would have seen of a program that makes only these calls:
// handles have the slots that they would have got, and the time that other calls took is computing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// Files that move more than this are data, unless someone says otherwise.
constexpr uint64_t default_above = 65536;

/// What was kept, and what was not.
struct LeftOut {
  struct Part {
    struct File {
      std::string name{};
      uint64_t bytes = 0;
    };
    uint64_t calls = 0, bytes = 0;
    std::vector<File> files{};  ///< that have paths; the largest first
  };
  uint64_t above = 0;
  Part kept{}, left{};
};

/// Without layer streams, which hold what calls caused. An error if nothing would be left, or if it can't be
/// told which calls belong to which file.
Result<trace::Trace> only_data(const trace::Trace& trace, uint64_t above, LeftOut& left_out);

}  // namespace refrain::plan
