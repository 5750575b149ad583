// Whether a trace needs a version of the format that knows certain operations.
#pragma once

#include "trace/trace.hpp"

namespace refrain::trace {

/// Whether any value or expression of the trace is a power of something else than two over the rank, or any
/// power over the index of a loop.
bool has_powers(const Trace& trace);
/// Whether any expression of the trace is a logarithm.
bool has_logarithms(const Trace& trace);

}  // namespace refrain::trace
