// The interpreter of HDF5's calls (see library_call.hpp): what the kinds of a row mean at run time.
#pragma once

#include "record/library_call.hpp"

namespace refrain::record {

struct Hdf5 {
  static bool enabled() { return layer_enabled(Layer::hdf5); }
  static bool before(LibraryCall& call);
  static void after(LibraryCall& call, uint64_t result);
};

namespace hdf5 {

/// Elements times their size; -1 if it can't be told.
inline int64_t product(int64_t points, int64_t size) {
  int64_t bytes;
  return points < 0 || size < 0 || __builtin_mul_overflow(points, size, &bytes) ? -1 : bytes;
}

constexpr int64_t replaces = 0;  ///< H5S_SELECT_SET

/// The number of elements that a hyperslab selects which replaces the selection.
inline int64_t hyperslab_points(const LibraryCall& call) {
  auto* count = call.pointer<const uint64_t>(4);
  auto* block = call.pointer<const uint64_t>(5);
  if (call.integer(1) != replaces || count == nullptr || call.known < 0) return -1;
  int64_t points = 1;
  for (int64_t d = 0; d < call.known; ++d) {
    int64_t size = block == nullptr ? 1 : static_cast<int64_t>(block[d]);
    points = product(product(points, static_cast<int64_t>(count[d])), size);
  }
  return points;
}

}  // namespace hdf5
}  // namespace refrain::record
