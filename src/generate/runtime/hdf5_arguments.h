// Arguments that HDF5 takes by address: values, configurations, images, functions of the application.
/* How much memory it takes to encode an object. */
static inline long long h5_encoded_bytes(herr_t (*encode)(hid_t, void*, size_t*), hid_t object) {
  size_t bytes = 0;
  quiet(1);
  encode(object, NULL, &bytes);
  quiet(0);
  return (long long)bytes;
}
/* The same for functions that take an access property list. */
static inline long long h5_encoded_bytes2(herr_t (*encode)(hid_t, void*, size_t*, hid_t), hid_t object) {
  size_t bytes = 0;
  quiet(1);
  encode(object, NULL, &bytes, H5P_DEFAULT);
  quiet(0);
  return (long long)bytes;
}
/* For several datasets: so much memory for each; for elements that hold more than bytes, so many zeros. */
static inline void* h5_buffers(int reads, long long bytes, long long count, const long long* each,
                               long long datasets) {
  if (count != datasets) stop("several datasets", "have memory of another number");
  void** list = scratch((count + 1) * (long long)sizeof *list);
  for (int again = 0; again < 2; ++again) /* the first time, memory may still move as it grows */
    for (long long i = 0; i < count; ++i) {
      list[i] = reads || each[i] < 0 ? in(each[i] < 0 ? -each[i] : each[i]) : out(each[i]);
      if (each[i] < 0) memset(list[i], 0, (size_t)-each[i]);
    }
  *(reads ? &to_read : &to_write) = bytes;
  return list;
}
/* What names the object at an address of its file. */
static inline H5O_token_t h5_token(long long address) {
  H5O_token_t token = {{0}};
  memcpy(&token, &address, sizeof address);
  return token;
}
static inline hid_t h5_closed_list(void) {
  quiet(1);
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  H5Pclose(list);
  quiet(0);
  return list;
}
static inline void* h5_zeros(hid_t type, hid_t space) {
  quiet(1);
  long long bytes = h5_extent(type, space);
  quiet(0);
  return memset(in(bytes), 0, (size_t)bytes);
}
/* A number as a value of the type. */
static inline void* h5_whole(hid_t type, long long value) {
  static _Thread_local char bytes[64];
  quiet(1);
  size_t size = H5Tget_size(type);
  quiet(0);
  memset(bytes, 0, sizeof bytes);
  if (size == 1) memcpy(bytes, &(int8_t){(int8_t)value}, 1);
  if (size == 2) memcpy(bytes, &(int16_t){(int16_t)value}, 2);
  if (size == 4) memcpy(bytes, &(int32_t){(int32_t)value}, 4);
  if (size == 8) memcpy(bytes, &value, 8);
  return bytes;
}
static inline void* h5_real(hid_t type, double value) {
  static _Thread_local double wide;
  static _Thread_local float narrow;
  quiet(1);
  size_t size = H5Tget_size(type);
  quiet(0);
  wide = value;
  narrow = (float)value;
  return size == sizeof narrow ? (void*)&narrow : (void*)&wide;
}
/* The value of an attribute, as it was recorded: `text:` and a string, or `hex:` and bytes. */
static inline void* kept(long long bytes, const char* value) {
  unsigned char* to = memset(scratch(bytes), 0, (size_t)(bytes > 0 ? bytes : 0));
  size_t room = bytes > 0 ? (size_t)bytes : 0, length = strlen(value);
  to_write = bytes;
  if (strncmp(value, "text:", 5) == 0) return memcpy(to, value + 5, length - 5 < room ? length - 5 : room);
  for (size_t i = 0; i < room && 4 + 2 * i + 1 < length; ++i) {
    char digits[3] = {value[4 + 2 * i], value[5 + 2 * i], 0};
    to[i] = (unsigned char)strtoul(digits, NULL, 16);
  }
  return to;
}
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
/* Stand-ins for functions of the recorded program: a conversion that keeps data as it is, a filter that
 * passes data on, links that lead to the group they are in, a driver. */
static inline herr_t h5_keep(hid_t from, hid_t to, H5T_cdata_t* about, size_t count, size_t stride,
                             size_t step, void* data, void* background, hid_t list) {
  (void)from, (void)to, (void)about, (void)count, (void)stride, (void)step, (void)data, (void)background,
      (void)list;
  return 0;
}
static inline size_t h5_pass(unsigned flags, size_t count, const unsigned* values, size_t bytes, size_t* size,
                             void** data) {
  (void)flags, (void)count, (void)values, (void)size, (void)data;
  return bytes;
}
static inline const void* h5_filter(int number) {
  static H5Z_class2_t filter;
  filter = (H5Z_class2_t){H5Z_CLASS_T_VERS, number, 1, 1, "kernel", NULL, NULL, h5_pass};
  return &filter;
}
static inline hid_t h5_same_group(const char* name, hid_t group, const void* data, size_t bytes, hid_t access,
                                  hid_t transfer) {
  (void)name, (void)data, (void)bytes, (void)transfer;
  return H5Oopen(group, ".", access);
}
static inline const H5L_class_t* h5_links(int number) {
  static H5L_class_t links;
  links.version = H5L_LINK_CLASS_T_VERS;
  links.id = (H5L_type_t)number;
  links.trav_func = h5_same_group;
  return &links;
}
/* Works like HDF5's own driver for ordinary files, which is taken from a file that it has opened. */
static inline const H5FD_class_t* h5_driver(void) {
  static H5FD_class_t driver;
  quiet(1);
  H5FD_t* file = H5FDopen("/dev/null", H5F_ACC_RDONLY, H5P_DEFAULT, HADDR_UNDEF);
  if (!file) stop("H5FDopen", "there is no driver for ordinary files");
  driver = *file->cls;
  H5FDclose(file);
  quiet(0);
  driver.name = "kernel";
  driver.terminate = NULL;
  driver.fapl_size = 8;
  return &driver;
}
/* The image of a file: what was asked for last is what is handed out. */
static inline void* h5_image(long long bytes) {
  static _Thread_local struct buffer b;
  return bytes > 0 ? room(&b, bytes, 0) : NULL;
}
/* Stand-ins for functions of the recorded program that HDF5 calls back; they do nothing. */
static inline herr_t h5_gather(const void* data, size_t bytes, void* extra) {
  return (void)data, (void)bytes, (void)extra, 0;
}
static inline herr_t h5_scatter(const void** data, size_t* bytes, void* extra) {
  *bytes = *(size_t*)extra;
  *data = out((long long)*bytes);
  return 0;
}
static inline void* h5_element(hid_t type) { /* so much is scattered at a time */
  static _Thread_local size_t bytes;
  quiet(1);
  bytes = H5Tget_size(type);
  quiet(0);
  return &bytes;
}
static inline herr_t h5_release(void* object) { return (void)object, 0; }
static inline herr_t h5_traverse(const char* file, const char* group, const char* child, const char* object,
                                 unsigned* flags, hid_t list, void* extra) {
  return (void)file, (void)group, (void)child, (void)object, (void)flags, (void)list, (void)extra, 0;
}
static inline H5T_conv_ret_t h5_exception(H5T_conv_except_t kind, hid_t from, hid_t to, void* a, void* b,
                                          void* extra) {
  return (void)kind, (void)from, (void)to, (void)a, (void)b, (void)extra, H5T_CONV_UNHANDLED;
}
static inline void* h5_allocate(size_t size, void* extra) { return (void)extra, malloc(size); }
static inline void h5_free(void* memory, void* extra) { (void)extra, free(memory); }
static inline herr_t h5_appended(hid_t id, hsize_t* extent, void* extra) {
  return (void)id, (void)extent, (void)extra, 0;
}
static inline herr_t h5_flushed(hid_t id, void* extra) { return (void)id, (void)extra, 0; }
static inline H5O_mcdt_search_ret_t h5_searched(void* extra) { return (void)extra, H5O_MCDT_SEARCH_CONT; }
static inline herr_t h5_property(const char* name, size_t size, void* value) {
  return (void)name, (void)size, (void)value, 0;
}
static inline herr_t h5_value_change(hid_t list, const char* name, size_t size, void* value) {
  return (void)list, (void)name, (void)size, (void)value, 0;
}
static inline int h5_compare(const void* a, const void* b, size_t size) { return memcmp(a, b, size); }
static inline herr_t h5_class(hid_t list, void* extra) { return (void)list, (void)extra, 0; }
static inline herr_t h5_class_copy(hid_t made, hid_t from, void* extra) {
  return (void)made, (void)from, (void)extra, 0;
}
