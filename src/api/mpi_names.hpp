// Names of MPI's error classes; those of flags and enumerators are reached through names.hpp.
#pragma once

#include <string>

namespace refrain::api {

/// `MPI_ERR_NO_SUCH_FILE`; `MPI error 4711` for classes without a name.
std::string mpi_error_name(int error_class);

}  // namespace refrain::api
