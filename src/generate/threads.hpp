// When the threads of a kernel start and end. A trace holds what each thread did, not when it ran beside the
// others; but a thread can't use a file before the main thread has made it, nor a descriptor that is closed.
#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::generate {

/// Nodes of the main thread's stream before which the others start and are joined.
struct ThreadTimes {
  size_t start = 0, join = 0;
};

/// Throws Refusal if what the threads need exists only within one node of the main thread.
ThreadTimes thread_times(const trace::Trace& trace, const trace::Stream& main,
                         const std::vector<const trace::Stream*>& others);

}  // namespace refrain::generate
