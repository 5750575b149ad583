// Objects of MPI that are used without having been seen made.
#pragma once

#include "api/mpi/mpi_library.hpp"
#include "record/lane.hpp"
#include "record/recorded_handles.hpp"

namespace refrain::record {

/// Gives the object its slot and emits the event that introduces it: for a datatype the call that would have
/// made it, with the types it is made of introduced before it. Under Busy.
Handle introduce_mpi(Lane& lane, HandleClass c, uint64_t word);

/// The same for a datatype that is known with displacements of ours and is now used for a file: from here on
/// it is known as it is. Under Busy.
void introduce_as_it_is(Lane& lane, const api::MpiLibrary& library, uint64_t word);

}  // namespace refrain::record
