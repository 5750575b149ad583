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

/// The nodes of the main thread's stream before which the other threads are started and joined.
struct ThreadTimes {
  size_t start = 0, join = 0;
};

/// An error if the threads need something that exists only inside one node of the main thread.
Result<ThreadTimes> thread_times(const trace::Trace& trace, const trace::Stream& main,
                                 const std::vector<const trace::Stream*>& others);

/// Empty streams for threads without calls that were started before a thread with calls. Threads are numbered
/// in the order in which they start, so these must be started, too.
std::vector<trace::Stream> silent_threads(const trace::Process& process);

/// The index of the first node that is, or contains, a call of a function with this trait.
std::optional<size_t> find_call(const trace::Trace& trace, const std::vector<trace::Node>& nodes,
                                api::Trait trait);

/// The index of the node after which all ranks have started MPI; ranks may do so in different nodes.
std::optional<size_t> find_start(const trace::Trace& trace, const std::vector<trace::Node>& nodes);

}  // namespace refrain::plan
