/* How much memory it takes to encode an object. */
static inline long long h5_encoded_bytes(herr_t (*encode)(hid_t, void*, size_t*), hid_t object) {
  size_t bytes = 0;
  quiet(1);
  encode(object, NULL, &bytes);
  quiet(0);
  return (long long)bytes;
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
