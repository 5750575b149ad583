/* What the program derives from the number of ranks. */
static inline long long quotient_of(long long a, long long b) {
  if (b == 0) return 0;
  return b == -1 ? (long long)(0 - (unsigned long long)a) : a / b;
}
static inline long long remainder_of(long long a, long long b) { return b == 0 || b == -1 ? 0 : a % b; }
static inline long long root_of(long long a, int degree) {
  long long low = 0, high = degree == 2 ? 3037000500 : 2097152;
  while (a >= 1 && high - low > 1) {
    long long middle = low + (high - low) / 2, rest = a / middle;
    if (degree == 3) rest /= middle;
    if (middle > rest)
      high = middle;
    else
      low = middle;
  }
  return low;
}
static inline long long logarithm_of(long long a) {
  long long n = 0;
  while (a > 1) a /= 2, ++n;
  return n;
}
static inline long long largest_divisor(long long a, long long most) {
  long long best = 0;
  for (long long d = 1; d * d <= a; ++d) {
    if (a % d != 0) continue;
    if (d <= most && d > best) best = d;
    if (a / d <= most && a / d > best) best = a / d;
  }
  return best;
}
/* The grid of MPI_Dims_create. */
static inline long long extent_of(long long ranks, int dimensions, int i) {
  static _Thread_local struct {
    long long of;
    int extents[4];
  } known[4];
  if (known[dimensions].of != ranks) {
    for (int d = 0; d < 4; ++d) known[dimensions].extents[d] = 0;
    PMPI_Dims_create((int)ranks, dimensions, known[dimensions].extents);
    known[dimensions].of = ranks;
  }
  return known[dimensions].extents[i];
}
