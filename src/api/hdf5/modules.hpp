// HDF5's functions are grouped by what they are about, and their names begin with a letter for it. Rows don't
// repeat it: this is where the letters are known.
#pragma once

#include <string_view>

namespace refrain::api {

enum class Hdf5Module : char {
  none = 0,  ///< not a function of HDF5, or of the library as a whole
  attribute = 'A',
  error = 'E',
  property = 'P',
  type = 'T',
  filter = 'Z',
  other = '?'
};

constexpr Hdf5Module hdf5_module(std::string_view function) {
  if (!function.starts_with("H5") || function.size() < 3) return Hdf5Module::none;
  switch (function[2]) {
    case 'A':
    case 'E':
    case 'P':
    case 'T':
    case 'Z':
      return static_cast<Hdf5Module>(function[2]);
    default:
      return function[2] >= 'A' && function[2] <= 'Z' ? Hdf5Module::other : Hdf5Module::none;
  }
}
static_assert(hdf5_module("H5Aopen") == Hdf5Module::attribute);
static_assert(hdf5_module("H5Dopen2") == Hdf5Module::other);
static_assert(hdf5_module("H5open") == Hdf5Module::none);

}  // namespace refrain::api
