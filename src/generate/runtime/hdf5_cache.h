/* The configuration of a metadata cache, from its whole and its other numbers in the order of the structure.
 */
static inline H5AC_cache_config_t* h5_cache_asked(void) {
  static _Thread_local H5AC_cache_config_t c;
  c.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  return &c;
}
static inline H5AC_cache_config_t* h5_cache(const long long* n, const double* r) {
  H5AC_cache_config_t* c = h5_cache_asked();
  *c = (H5AC_cache_config_t){.version = (int)n[0],
                             .rpt_fcn_enabled = n[1] != 0,
                             .evictions_enabled = n[4] != 0,
                             .set_initial_size = n[5] != 0,
                             .initial_size = (size_t)n[6],
                             .min_clean_fraction = r[0],
                             .max_size = (size_t)n[7],
                             .min_size = (size_t)n[8],
                             .epoch_length = (long)n[9],
                             .incr_mode = (enum H5C_cache_incr_mode)n[10],
                             .lower_hr_threshold = r[1],
                             .increment = r[2],
                             .apply_max_increment = n[11] != 0,
                             .max_increment = (size_t)n[12],
                             .flash_incr_mode = (enum H5C_cache_flash_incr_mode)n[13],
                             .flash_multiple = r[3],
                             .flash_threshold = r[4],
                             .decr_mode = (enum H5C_cache_decr_mode)n[14],
                             .upper_hr_threshold = r[5],
                             .decrement = r[6],
                             .apply_max_decrement = n[15] != 0,
                             .max_decrement = (size_t)n[16],
                             .epochs_before_eviction = (int)n[17],
                             .apply_empty_reserve = n[18] != 0,
                             .empty_reserve = r[7],
                             .dirty_bytes_threshold = (size_t)n[19],
                             .metadata_write_strategy = (int)n[20]};
  return c;
}
