// What isn't certain of a kernel for any number of ranks: it says so itself, once it knows how many there
// are.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace refrain::generate {

/// Whether laws of calls that the kernel makes are in doubt.
bool has_doubts(const trace::Trace& trace);

/// A file with the function say_doubts(), which the kernel calls when MPI has started.
std::string doubts_text(const trace::Trace& trace);

}  // namespace refrain::generate
