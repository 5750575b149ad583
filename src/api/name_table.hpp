// How tables of names are written; only the files that hold such tables include this.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/kinds.hpp"

namespace refrain::api {

struct Name {
  std::string_view text;
  uint64_t value;
  uint64_t mask;  ///< bits that must equal `value`; all bits for an enumerator
};

constexpr Name flag_name(std::string_view text, uint64_t bits) { return {text, bits, bits}; }
constexpr Name case_name(std::string_view text, int value) {
  return {text, static_cast<uint32_t>(value), ~uint64_t{0}};
}

/// The names of the kinds of MPI's arguments; empty for other kinds.
std::span<const Name> mpi_names_of(Kind kind);
/// The same for HDF5, whose enumerators are 32-bit numbers.
std::span<const Name> hdf5_names_of(Kind kind);

}  // namespace refrain::api
