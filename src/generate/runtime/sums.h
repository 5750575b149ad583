/* The sum of the first elements. */
static inline long long sum_of(const long long* table, long long size, long long n) {
  long long sum = 0;
  for (long long i = 0; i < size && i < n; ++i) sum = wrap_add(sum, table[i]);
  return sum;
}
