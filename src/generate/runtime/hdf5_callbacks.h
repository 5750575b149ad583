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
