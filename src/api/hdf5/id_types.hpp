// Numbers of H5I_type_t in traces, which are those of HDF5 1.10, and in the library of a program.
#pragma once

#include <cstdint>

namespace refrain::api {

/// One kind of identifier, by its number in traces and its number in HDF5 since 1.12.
struct IdType {
  int64_t in_traces, since_1_12;
};
inline constexpr IdType id_types[] = {
#define ID_TYPE(name, in_traces, now) {in_traces, now},
#define NEW_ID_TYPE(name, in_traces, now) {in_traces, now},
#include "api/hdf5/id_types.def"
};

/// The number that stands at `to` where `from` has this one; others, which programs register, are the same.
constexpr int64_t translate_id_type(int64_t number, int64_t IdType::*from, int64_t IdType::*to) {
  for (const IdType& type : id_types)
    if (type.*from == number) return type.*to;
  return number;
}

/// The number in traces of one that a library uses.
constexpr int64_t id_type_in_traces(int64_t number, bool since_1_12) {
  return since_1_12 ? translate_id_type(number, &IdType::since_1_12, &IdType::in_traces) : number;
}
/// And back.
constexpr int64_t id_type_in_library(int64_t number, bool since_1_12) {
  return since_1_12 ? translate_id_type(number, &IdType::in_traces, &IdType::since_1_12) : number;
}

}  // namespace refrain::api
