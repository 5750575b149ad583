// Communicators and info objects among the arguments of HDF5's functions. A build without MPI has them, too,
// but can only say that there was one: that is all in which the two builds differ here.
#pragma once

#include "record/library_call.hpp"

namespace refrain::record::hdf5 {

/// Argument `i`, which a driver of HDF5 gets.
void look_at_mpi_argument(LibraryCall& call, size_t i);
/// Argument `i` leads to what HDF5 made for the application, whose own calls of MPI have named it, if they
/// were recorded.
void name_handed_out(LibraryCall& call, size_t i);
/// The name of argument `i` if it has no slot, or of that to which it leads.
const char* mpi_constant(const LibraryCall& call, size_t i);

}  // namespace refrain::record::hdf5
