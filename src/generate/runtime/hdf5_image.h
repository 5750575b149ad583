/* The image of a file: what was asked for last is what is handed out. */
static inline void* h5_image(long long bytes) {
  static _Thread_local struct buffer b;
  return bytes > 0 ? room(&b, bytes, 0) : NULL;
}
