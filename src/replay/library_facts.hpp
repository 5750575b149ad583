// What a replay has to ask MPI and HDF5 themselves before it can make a call: sizes of types and spaces, and
// constants that only their headers know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "replay/libraries.hpp"

namespace refrain::replay {

struct Hdf5Elements {
  uint64_t bytes = 0;  ///< size in memory of all elements of the space
  bool plain = true;   ///< elements hold no addresses or references, so any bytes are valid
};
/// Elements of `type` in `space`. If that is H5S_ALL (0): in the space of `dataset`, unless that is negative.
Hdf5Elements hdf5_elements(Libraries& libraries, uint64_t type, uint64_t space, uint64_t dataset);
uint64_t hdf5_type_size(Libraries& libraries, uint64_t type);

/// H5F_OBJ_ALL, which a call may take in place of a file.
constexpr uint64_t hdf5_all_objects = 0x1f;

/// MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY.
uint64_t mpi_weights(Libraries& libraries, std::string_view name);
/// The text of an MPI error.
std::string mpi_reason(Libraries& libraries, int code);
/// Stand-in for a callback of the application; does nothing.
const void* ignored_function();

}  // namespace refrain::replay
