// When I/O happened, as lines of blocks and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "trace/trace.hpp"

namespace refrain::cli {

/// A line for each kind of call; nothing if the trace has no heat map. `by_rank`: also one for each rank, or
/// for as many ranks as make few lines.
void print_heat_map(const trace::Trace& trace, bool by_rank, Output& out);

/// Null if the trace has none. `by_rank`: with all cells.
nlohmann::json heat_json(const trace::Trace& trace, bool by_rank);

}  // namespace refrain::cli
