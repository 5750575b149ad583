// A trace as JSON, loops and all: what `refrain dump --json` prints. docs/trace-json.md describes it.
#pragma once

#include "trace/text_out.hpp"
#include "trace/trace.hpp"

namespace refrain::report {

struct TreeOptions {
  bool times = true;
  bool layers = false;  ///< layer streams after the outer ones
};

/// Written piece by piece: memory doesn't grow with the trace.
void print_tree_json(const trace::Trace& trace, const TreeOptions& options, const trace::Sink& sink);

}  // namespace refrain::report
