/* What one call leaves for another: an encoded object, a reference, the value of a link. */
static inline void* h5_encoded_type(void) {
  static _Thread_local struct buffer b;
  return room(&b, 65535, 0);
}
static inline void* h5_encoded_space(void) {
  static _Thread_local struct buffer b;
  return room(&b, 65535, 0);
}
static inline void* h5_encoded_list(void) {
  static _Thread_local struct buffer b;
  return room(&b, 65535, 0);
}
static inline size_t* h5_encoded_length(void) {
  static _Thread_local size_t bytes;
  bytes = 65536;
  return &bytes;
}
static inline void* h5_object_reference(void) {
  static _Thread_local hobj_ref_t reference[4];
  return reference;
}
static inline void* h5_region_reference(void) {
  static _Thread_local hdset_reg_ref_t reference[4];
  return reference;
}
static inline void* h5_link_value(void) {
  static _Thread_local struct buffer b;
  return room(&b, 1 << 20, 0);
}
/* The reference that was made last, or one to the object itself: what files held is not recorded. */
static inline void* h5_reference(hid_t object, H5R_type_t type) {
  if (type != H5R_OBJECT) return h5_region_reference();
  hobj_ref_t* made = h5_object_reference();
  if (*made) return made;
  static _Thread_local hobj_ref_t itself;
  quiet(1);
  H5Rcreate(&itself, object, ".", H5R_OBJECT, -1);
  quiet(0);
  return &itself;
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
