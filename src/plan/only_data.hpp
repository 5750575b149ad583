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

/// Default: a file is data if more bytes than this are read and written.
constexpr uint64_t default_above = 65536;

/// What was kept and what was left out.
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

/// The result has no layer streams, which hold inner calls. An error if nothing would be left, or if some
/// calls can't be attributed to a file.
Result<trace::Trace> only_data(const trace::Trace& trace, uint64_t above, LeftOut& left_out);

}  // namespace refrain::plan
