// The types of HDF5's arguments without its header: rows of layer hdf5 expand to hooks with these, so that
// one recorder serves every version of the library. prototypes.cpp holds them against the header that is
// installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refrain::hdf5_words {

// NOLINTBEGIN(readability-identifier-naming): names of HDF5.
#define HDF5_WORD(name, type) using name = type;
#define HDF5_STRUCT(name) struct name;
#define HDF5_FUNCTION(name) using name = void (*)();
#include "api/hdf5/words.def"
#undef HDF5_WORD
#undef HDF5_STRUCT
#undef HDF5_FUNCTION

/// Settings of the metadata cache.
struct H5AC_cache_config_t {
  int version;
  bool rpt_fcn_enabled, open_trace_file, close_trace_file;
  char trace_file_name[1025];
  bool evictions_enabled, set_initial_size;
  size_t initial_size;
  double min_clean_fraction;
  size_t max_size, min_size;
  long epoch_length;
  int incr_mode;
  double lower_hr_threshold, increment;
  bool apply_max_increment;
  size_t max_increment;
  int flash_incr_mode;
  double flash_multiple, flash_threshold;
  int decr_mode;
  double upper_hr_threshold, decrement;
  bool apply_max_decrement;
  size_t max_decrement;
  int epochs_before_eviction;
  bool apply_empty_reserve;
  double empty_reserve;
  size_t dirty_bytes_threshold;
  int metadata_write_strategy;
};
/// Settings of the image of the metadata cache in a file.
struct H5AC_cache_image_config_t {
  int version;
  bool generate_image, save_resize_status;
  int entry_ageout;
};
/// What names an object in its file; the library's own connector uses the first eight bytes, for an address.
struct H5O_token_t {
  uint8_t bytes[16];
};
/// A filter of the program's own.
struct H5Z_class2_t {
  int version, id;
  unsigned encoder_present, decoder_present;
  const char* name;
  void* can_apply;
  void* set_local;
  size_t (*filter)(unsigned flags, size_t values, const unsigned* value, size_t bytes, size_t* room,
                   void** data);
};
/// A class of links of the program's own.
struct H5L_class_t {
  int version, id;
  const char* comment;
  void* create_func;
  void* move_func;
  void* copy_func;
  hid_t (*trav_func)(const char* name, hid_t group, const void* data, size_t bytes, hid_t lapl, hid_t dxpl);
  void* del_func;
  void* query_func;
};
// NOLINTEND(readability-identifier-naming)

}  // namespace refrain::hdf5_words
