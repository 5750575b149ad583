// When the threads of a program that repeats a trace start and end. A trace holds what each thread did, not
// when it ran beside the others; but a thread can't use a file before the main thread has made it, nor a
// descriptor that is closed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "api/traits.hpp"
#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// Nodes of the main thread's stream before which the others start and are joined.
struct ThreadTimes {
  size_t start = 0, join = 0;
};

/// An error if what the threads need exists only within one node of the main thread.
Result<ThreadTimes> thread_times(const trace::Trace& trace, const trace::Stream& main,
                                 const std::vector<const trace::Stream*>& others);

/// Empty streams for threads that made no calls although one that was started later did: numbers of threads
/// are those of their starts, so they have to be started again, too.
std::vector<trace::Stream> silent_threads(const trace::Process& process);

/// Number of the first node, or of one in it, that is a call of a function with this trait.
std::optional<size_t> find_call(const trace::Trace& trace, const std::vector<trace::Node>& nodes,
                                api::Trait trait);

/// Number of the node with which the last rank has started MPI: ranks may do so in nodes of their own.
std::optional<size_t> find_start(const trace::Trace& trace, const std::vector<trace::Node>& nodes);

}  // namespace refrain::plan
