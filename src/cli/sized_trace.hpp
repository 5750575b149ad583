// Reading a trace for commands that need one of a certain number of ranks. A scale-free trace has none until
// --ranks says which.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::cli {

/// Adds the option --ranks N; without it, 0.
void add_ranks_option(CLI::App& command, uint32_t& ranks);

/// What a command makes use of: the calls of the program only, or what they caused as well.
enum class StreamsUsed : uint8_t { outer, all };

/// The trace in the file; a scale-free one for this many ranks, with a warning for everything that isn't
/// certain there about the streams that are used. Fails if the trace is scale-free and `ranks` is 0, or if it
/// is one of another number of ranks.
Result<trace::Trace> read_sized(const std::string& file, uint32_t ranks, StreamsUsed used);

/// The same for a trace that was read already.
Result<trace::Trace> sized(trace::Trace trace, const std::string& file, uint32_t ranks, StreamsUsed used);

/// A warning for everything that isn't certain at this number of ranks; how many there are.
size_t warn_of_doubts(const trace::Trace& trace, uint32_t ranks);

}  // namespace refrain::cli
