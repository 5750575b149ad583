/* An element of a table, 0 outside. */
static inline long long lookup(const long long* table, long long size, long long i) {
  return i >= 0 && i < size ? table[i] : 0;
}
