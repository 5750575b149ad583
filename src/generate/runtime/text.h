/* A line of so many characters. */
static inline const char* text(long long bytes) {
  static _Thread_local struct buffer b;
  char* at = room(&b, bytes + 1, 1);
  size_t n = bytes > 0 ? (size_t)bytes : 0;
  for (size_t i = 0; i < n; ++i) at[i] = (char)(i + 1 < n ? 'a' + i % 23 : '\n');
  at[n] = 0;
  return at;
}
