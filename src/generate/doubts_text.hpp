// Doubts about the laws of a kernel for any number of ranks. The kernel prints them once it knows the number.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace refrain::generate {

/// Whether some laws of the kernel's calls are uncertain.
bool has_doubts(const trace::Trace& trace);

/// A file with the function say_doubts(), which the kernel calls when MPI has started.
std::string doubts_text(const trace::Trace& trace);

}  // namespace refrain::generate
