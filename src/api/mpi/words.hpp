// The types of MPI's arguments as every library passes them: handles as machine words, of which a library
// with numbers for handles uses the lower half. Rows of the layers mpi and mpiio expand to hooks with these
// types; what a word means says the table of the program's library (mpi_library.hpp).
#pragma once

#include <cstdint>
#include <type_traits>

namespace refrain::mpi_words {

// NOLINTBEGIN(readability-identifier-naming): names of the standard.
using MPI_Comm = uint64_t;
using MPI_Group = uint64_t;
using MPI_Datatype = uint64_t;
using MPI_Info = uint64_t;
using MPI_Op = uint64_t;
using MPI_Errhandler = uint64_t;
using MPI_Request = uint64_t;
using MPI_File = uint64_t;
using MPI_Aint = int64_t;
using MPI_Offset = int64_t;
using MPI_Count = int64_t;
struct MPI_Status;
using MPI_User_function = void();
using MPI_Comm_errhandler_function = void();
using MPI_File_errhandler_function = void();
using MPI_Datarep_conversion_function = void();
using MPI_Datarep_extent_function = void();
// NOLINTEND(readability-identifier-naming)

}  // namespace refrain::mpi_words
