// Independent work on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace refrain::schedule {

/// Told now and then, from the calling thread, how much is done.
using Tell = std::function<void(size_t done, size_t total)>;

/// Calls body(0) … body(count - 1), each once, from `threads` threads (0: as many as there are cores). What a
/// body throws ends the work and is thrown again here.
void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& body,
                 const Tell& tell = {});

}  // namespace refrain::schedule
