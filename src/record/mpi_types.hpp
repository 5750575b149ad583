// Objects of MPI that are used without having been seen made.
#pragma once

#include "record/handles.hpp"
#include "record/lane.hpp"

namespace refrain::record {

/// Emits the event that introduces the object: for a datatype the call that would have made it, with the
/// types it is made of introduced before it. Under Busy.
void introduce_mpi(Lane& lane, Handle handle, uint64_t word);

}  // namespace refrain::record
