// What a trace says about where it comes from, and notes that mean something to more than its reader.
#pragma once

#include <string_view>

namespace refrain::trace {

/// How a note begins that says that calls, nobody knows how many, were not recorded.
constexpr std::string_view missing_note = "calls are missing: ";

/// Whether Trace::recorder names a tool that a trace was imported from; otherwise it is a version of Refrain,
/// or nothing.
inline bool is_imported(std::string_view recorder) {
  return !recorder.empty() && (recorder[0] < '0' || recorder[0] > '9');
}

}  // namespace refrain::trace
