/* The exclusive or of the elements whose bit is set. */
static inline long long bits_of(const long long* table, long long size, long long bits) {
  long long sum = 0;
  for (long long i = 0; i < size && i < 64; ++i)
    if ((unsigned long long)bits >> i & 1) sum ^= table[i];
  return sum;
}
static inline long long power_of_two(long long n) { return n >= 0 && n < 64 ? (long long)(1ull << n) : 0; }
/* The mark of files that may be large, which the system shows; the C library's name for it is 0 where all may
 * be. */
#define LARGE_FILE (O_NOFOLLOW == 0100000 ? 0400000 : 0100000)
