// What `refrain info` says of a scale-free trace as such, without a number of ranks.
#pragma once

#include "cli/output.hpp"
#include "trace/trace.hpp"

namespace refrain::cli {

void print_scale_free(const trace::Trace& trace, Output& out);

}  // namespace refrain::cli
