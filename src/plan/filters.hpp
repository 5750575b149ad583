// Data that is compressed on its way to a file. What kernels and replays write is made up, and compresses
// otherwise.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace refrain::plan {

/// The first call of the trace that asks for data to be stored in a size that depends on its values; empty if
/// there is none.
std::string compressing_call(const trace::Trace& trace);

/// What is to be said of it: a line without an end.
std::string compressing_note(const std::string& call);

}  // namespace refrain::plan
