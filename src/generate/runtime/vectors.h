static inline struct iovec* vector(char* (*memory)(long long), long long count, const long long* sizes) {
  static _Thread_local struct iovec v[IOV_MAX];
  long long largest = 0;
  for (long long i = 0; i < count; ++i) largest = sizes[i] > largest ? sizes[i] : largest;
  for (long long i = 0; i < count && i < IOV_MAX; ++i)
    v[i] = (struct iovec){memory(largest), (size_t)sizes[i]};
  return v;
}
static inline char* memory_in(long long n) { return in(n); }
static inline char* memory_out(long long n) { return out(n); }
static inline struct iovec* iov_in(long long count, const long long* sizes) {
  return vector(memory_in, count, sizes);
}
static inline struct iovec* iov_out(long long count, const long long* sizes) {
  return vector(memory_out, count, sizes);
}
