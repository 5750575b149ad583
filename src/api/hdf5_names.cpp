// The names of HDF5's constants as a table; see hdf5_names.def.
#include "api/name_table.hpp"

namespace refrain::api {
namespace {

constexpr uint64_t enumerator(int64_t value) { return static_cast<uint32_t>(value); }

constexpr Name all_hdf5_names[] = {
#define H5_NAME(kind, name, value) {#name, enumerator(value), ~uint64_t{0}},
#define H5_FLAG(kind, name, value, bits) {#name, value, bits},
#include "api/hdf5_names.def"
    {"false", 0, ~uint64_t{0}},
    {"true", 1, ~uint64_t{0}},
};
constexpr Kind all_kinds[] = {
#define H5_NAME(kind, name, value) Kind::kind,
#define H5_FLAG(kind, name, value, bits) Kind::kind,
#include "api/hdf5_names.def"
    Kind::h5_bool,
    Kind::h5_bool,
};

}  // namespace

std::span<const Name> hdf5_names_of(Kind kind) {
  constexpr size_t count = std::size(all_kinds);
  size_t first = 0;
  while (first < count && all_kinds[first] != kind) ++first;
  size_t end = first;
  while (end < count && all_kinds[end] == kind) ++end;
  return std::span(all_hdf5_names).subspan(first, end - first);
}

}  // namespace refrain::api
