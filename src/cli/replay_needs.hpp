// What a replay needs of MPI, by its trace and by how it was started, and of a recorder.
#pragma once

#include "base/result.hpp"
#include "replay/world.hpp"
#include "trace/trace.hpp"

namespace refrain::cli {

/// Programs with MPI use HDF5's parallel library, as a rule, even where each rank has files of its own.
bool uses_parallel_libraries(const trace::Trace& trace);
bool uses_mpi(const trace::Trace& trace, const replay::Place& place);
/// Ranks meet by MPI, whatever is replayed: an error if this program was built without.
Result<void> check_mpi(const trace::Trace& trace, const replay::Place& place);

/// Whether values of attributes were kept when it was recorded.
bool keeps_attributes(const trace::Trace& trace);

}  // namespace refrain::cli
