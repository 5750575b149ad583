// What a replay has to ask MPI and HDF5 themselves before it can make a call: sizes of types and spaces, and
// constants that only their headers know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "replay/libraries.hpp"

namespace refrain::replay {

struct Hdf5Elements {
  uint64_t bytes = 0;  ///< in memory, of all elements that the space describes
  bool plain = true;   ///< no addresses or references in them: any bytes will do
};
/// Elements of `type` in `space`; if that is H5S_ALL (0), in the space of `dataset`, if it isn't negative.
Hdf5Elements hdf5_elements(Libraries& libraries, uint64_t type, uint64_t space, uint64_t dataset);
uint64_t hdf5_type_size(Libraries& libraries, uint64_t type);

/// H5F_OBJ_ALL, which stands where a file could.
constexpr uint64_t hdf5_all_objects = 0x1f;

/// MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY.
uint64_t mpi_weights(Libraries& libraries, std::string_view name);
/// The reason behind an error of MPI.
std::string mpi_reason(Libraries& libraries, int code);
/// Takes the place of a function of the application that a library would call, and does nothing.
const void* ignored_function();

}  // namespace refrain::replay
