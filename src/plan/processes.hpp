// The processes of a trace: which of them is meant where a program can only repeat one, and which ranks can't
// be waited for. A job is often started through a script, whose shell and tools are processes of the trace
// beside the application.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// Whether the process calls MPI_Init.
bool starts_mpi(const trace::Trace& trace, const trace::Process& process);

/// The process `asked` for; or the only one, of those with this rank if one is given, that made calls; or the
/// only one of these that starts MPI. An error names them all.
Result<size_t> choose_process(const trace::Trace& trace, std::optional<size_t> asked,
                              std::optional<uint32_t> rank);

/// The ranks whose recording ends in the middle of the program: killed, crashed, aborted. The others may have
/// gone on, so that a program which repeats the trace can come to a call that waits for those ranks for ever.
/// What became of processes beside those that start MPI doesn't matter.
trace::RankSet early_ranks(const trace::Trace& trace);

}  // namespace refrain::plan
