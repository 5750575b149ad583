// Structures of HDF5 that are passed by address, taken apart into numbers, so that only one file needs the
// header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refrain::record::hdf5 {

struct CacheConfig {
  int64_t numbers[24];  ///< whole numbers, flags and enumerators, in the order of the structure
  size_t number_count = 0;
  double reals[8];  ///< the other numbers, in the same order
  size_t real_count = 0;
  const char* trace_file = "";
};

/// H5AC_cache_config_t.
void take_apart(const void* cache_config, CacheConfig& out);
/// H5AC_cache_image_config_t: version, generate_image, save_resize_status, entry_ageout.
void take_apart(const void* image_config, int64_t (&out)[4]);
/// H5L_class_t.
int link_type(const void* link_class);

}  // namespace refrain::record::hdf5
