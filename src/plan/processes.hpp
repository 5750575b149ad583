// The processes of a trace: which of them is meant where a program can only repeat one, and which ranks can't
// be waited for. A job is often started through a script, whose shell and tools are processes of the trace
// beside the application.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "trace/process_tree.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// Whether the process calls MPI_Init.
bool starts_mpi(const trace::Trace& trace, const trace::Process& process);

/// The process `asked` for. If none was asked for: the only one that made calls, among those with this rank
/// if one is given; or else the only one of these that starts MPI. An error lists all candidates.
Result<size_t> choose_process(const trace::Trace& trace, std::optional<size_t> asked,
                              std::optional<uint32_t> rank);

/// The processes that are meant if none was asked for: a tree of several if several made calls and the trace
/// says who started whom, else the one that choose_process finds. An error says why it is neither.
struct Chosen {
  size_t process = 0;
  std::optional<trace::ProcessTree> tree{};
};
Result<Chosen> choose_processes(const trace::Trace& trace, std::optional<size_t> asked,
                                std::optional<uint32_t> rank);

/// An error if a library did some of the I/O in threads of its own: repeated, it would be done twice.
Result<void> check_repeatable(const trace::Trace& trace);

/// The ranks whose recording ends in the middle of the program: killed, crashed, aborted. Other ranks may
/// have gone on, so a program that repeats the trace can reach a call that waits for those ranks for ever.
/// Processes that don't start MPI are not considered.
trace::RankSet early_ranks(const trace::Trace& trace);

}  // namespace refrain::plan
