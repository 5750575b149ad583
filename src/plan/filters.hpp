// Finds data that is compressed on its way to a file. Kernels and replays write made-up data, which
// compresses differently.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace refrain::plan {

/// The first function of the trace that sets a filter with which the stored size depends on the data; empty
/// if there is none.
std::string compressing_call(const trace::Trace& trace);

/// A warning about it: one line without a newline.
std::string compressing_note(const std::string& call);

}  // namespace refrain::plan
