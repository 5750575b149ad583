/* The exclusive or of the elements whose bit is set. */
static inline long long bits_of(const long long* table, long long size, long long bits) {
  long long sum = 0;
  for (long long i = 0; i < size && i < 64; ++i)
    if ((unsigned long long)bits >> i & 1) sum ^= table[i];
  return sum;
}
/* factor times a power of the base, which is at least 2; 0 where 64 bits don't hold it. */
static inline long long power_product(long long factor, long long base, long long exponent) {
  if (factor == 0 || exponent < 0) return 0;
  for (; exponent > 0; --exponent) {
    if (factor > LLONG_MAX / base || factor < LLONG_MIN / base) return 0;
    factor *= base;
  }
  return factor;
}
static inline long long power_of_two(long long n) { return n >= 0 && n < 64 ? (long long)(1ull << n) : 0; }
/* The mark of files that may be large, which the system shows; the C library's name for it is 0 where all may
 * be. */
#define LARGE_FILE (O_NOFOLLOW == 0100000 ? 0400000 : 0100000)
