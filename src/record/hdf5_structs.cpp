// Taking HDF5's structures apart; see hdf5_structs.hpp.
#include "record/hdf5_structs.hpp"

#include "api/hdf5/words.hpp"

namespace refrain::record::hdf5 {

using namespace hdf5_words;

void take_apart(const void* cache_config, CacheConfig& out) {
  auto& c = *static_cast<const H5AC_cache_config_t*>(cache_config);
  auto whole = [&](auto... values) {
    ((out.numbers[out.number_count++] = static_cast<int64_t>(values)), ...);
  };
  auto real = [&](auto... values) { ((out.reals[out.real_count++] = values), ...); };
  whole(c.version, c.rpt_fcn_enabled, c.open_trace_file, c.close_trace_file, c.evictions_enabled,
        c.set_initial_size, c.initial_size, c.max_size, c.min_size, c.epoch_length, c.incr_mode,
        c.apply_max_increment, c.max_increment, c.flash_incr_mode, c.decr_mode, c.apply_max_decrement,
        c.max_decrement, c.epochs_before_eviction, c.apply_empty_reserve, c.dirty_bytes_threshold,
        c.metadata_write_strategy);
  real(c.min_clean_fraction, c.lower_hr_threshold, c.increment, c.flash_multiple, c.flash_threshold,
       c.upper_hr_threshold, c.decrement, c.empty_reserve);
  out.trace_file = c.trace_file_name;
}

void take_apart(const void* image_config, int64_t (&out)[4]) {
  auto& c = *static_cast<const H5AC_cache_image_config_t*>(image_config);
  out[0] = c.version, out[1] = c.generate_image, out[2] = c.save_resize_status, out[3] = c.entry_ageout;
}

int link_type(const void* link_class) { return static_cast<const H5L_class_t*>(link_class)->id; }

}  // namespace refrain::record::hdf5
