// Numbers of H5I_type_t in traces, which are those of HDF5 1.10, and in the library of a program.
#pragma once

#include <cstdint>

namespace refrain::api {

/// The number in traces of one that a library uses.
constexpr int64_t id_type_in_traces(int64_t number, bool since_1_12) {
  if (!since_1_12) return number;
#define ID_TYPE(name, in_traces, now) \
  if (number == (now)) return in_traces;
#define NEW_ID_TYPE(name, in_traces, now) \
  if (number == (now)) return in_traces;
#include "api/hdf5/id_types.def"
  return number;
}

/// And back.
constexpr int64_t id_type_in_library(int64_t number, bool since_1_12) {
  if (!since_1_12) return number;
#define ID_TYPE(name, in_traces, now) \
  if (number == (in_traces)) return now;
#define NEW_ID_TYPE(name, in_traces, now) \
  if (number == (in_traces)) return now;
#include "api/hdf5/id_types.def"
  return number;
}

}  // namespace refrain::api
