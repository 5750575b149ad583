// The interpreter of HDF5's calls (see library_call.hpp): what the kinds of a row mean at run time.
#pragma once

#include "record/library_call.hpp"

namespace refrain::record {

struct Hdf5 {
  static bool enabled() { return layer_enabled(layer); }
  static bool before(LibraryCall& call);
  static void after(LibraryCall& call, uint64_t result);

  static constexpr uint32_t layer = 4;  ///< its number among api::layers()
};

}  // namespace refrain::record
