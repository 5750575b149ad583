// Notes of a trace that mean something to more than its reader.
#pragma once

#include <string_view>

namespace refrain::trace {

/// How a note begins that says that calls, nobody knows how many, were not recorded.
constexpr std::string_view missing_note = "calls are missing: ";

}  // namespace refrain::trace
