// Control blocks of asynchronous requests. The system uses one until its request has been returned, and then
// the slot of the trace is free: so there is one per slot, and as many as are under way at once.
#pragma once

#include <aio.h>

#include <cstdint>

namespace refrain::replay {

/// The cleared control block of a slot of this thread. Throws ReplayError if the slot is out of range.
aiocb* new_async_request(int64_t slot);

}  // namespace refrain::replay
