// Numbers, tables, lists and names as arguments: what a kernel computes them with.
static long long repeat = 1;
static int prepare_inputs;
static char prepared_mark[4400]; /* tells the other ranks that inputs are there */
/* Arithmetic that wraps at 64 bits, as that of traces does. */
static inline long long wrap_add(long long a, long long b) {
  return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long wrap_sub(long long a, long long b) {
  return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long wrap_mul(long long a, long long b) {
  return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long smaller(long long a, long long b) { return a < b ? a : b; }
/* An element of a table, 0 outside. */
static inline long long lookup(const long long* table, long long size, long long i) {
  return i >= 0 && i < size ? table[i] : 0;
}
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
/* The sum of the first elements. */
static inline long long sum_of(const long long* table, long long size, long long n) {
  long long sum = 0;
  for (long long i = 0; i < size && i < n; ++i) sum = wrap_add(sum, table[i]);
  return sum;
}
/* Numbers as runs: first, first + stride, ... so many times; with a body, the numbers of the body each time,
 * moved by that. A run of none ends the list. */
struct run {
  long long first, stride, count;
  const struct run* body;
  long long length; /* of the body */
};
static inline long long run_at(const struct run* r, long long i) {
  for (; r->count > 0 && i >= 0; ++r) {
    if (i >= r->count * r->length) {
      i -= r->count * r->length;
      continue;
    }
    long long value = wrap_add(r->first, wrap_mul(r->stride, i / r->length));
    return r->body ? wrap_add(value, run_at(r->body, i % r->length)) : value;
  }
  return 0;
}
/* How many of these increasing numbers are smaller. */
static inline long long place_of(const struct run* r, long long number) {
  long long place = 0;
  for (; r->count > 0; place += r->count, ++r)
    if (number <= r->first + r->stride * (r->count - 1))
      return place + (number < r->first || r->stride == 0 ? 0 : (number - r->first) / r->stride);
  return place;
}
static inline int is_in(const struct run* r, long long number) {
  return run_at(r, place_of(r, number)) == number;
}
/* Memory for a list; good until eight others have been made. */
static inline void* room_for_list(long long count, size_t size) {
  static _Thread_local void* lists[8];
  static _Thread_local unsigned next;
  void** list = &lists[next++ % 8];
  free(*list);
  *list = malloc((size_t)(count < 0 ? 0 : count) * size + 1);
  if (!*list) stop("memory for a list", strerror(ENOMEM));
  return *list;
}
/* Writes the numbers of runs, of the size given; tells where the next would go. */
static inline char* put_runs(const struct run* r, long long moved, char* at, const char* end, size_t size) {
  for (; r->count > 0; ++r)
    for (long long i = 0; i < r->count && at < end; ++i) {
      long long n = wrap_add(moved, wrap_add(r->first, wrap_mul(r->stride, i)));
      int narrow = (int)n;
      if (r->body) {
        at = put_runs(r->body, n, at, end, size);
        continue;
      }
      memcpy(at, size == sizeof narrow ? (void*)&narrow : (void*)&n, size);
      at += size;
    }
  return at;
}
/* A list of so many numbers of the size given, that of int or of long long. */
static inline void* list_of(const struct run* runs, long long count, size_t size) {
  char* list = room_for_list(count, size);
  put_runs(runs, 0, list, list + (size_t)count * size, size);
  return list;
}
static inline void* list_from(const long long* numbers, long long count, size_t size) {
  char* list = room_for_list(count, size);
  for (long long i = 0; i < count; ++i) {
    int narrow = (int)numbers[i];
    memcpy(list + (size_t)i * size, size == sizeof narrow ? (const void*)&narrow : (const void*)&numbers[i],
           size);
  }
  return list;
}
/* A name with numbers in it; good until eight others have been made. */
__attribute__((format(printf, 1, 2))) static inline const char* name(const char* format, ...) {
  static _Thread_local char names[8][4200];
  static _Thread_local unsigned next;
  char* at = names[next++ % 8];
  va_list numbers;
  va_start(numbers, format);
  vsnprintf(at, sizeof names[0], format ? format : "?", numbers);
  va_end(numbers);
  return at;
}
static char* volatile nowhere;               /* no name: the compiler must not know */
static char* volatile unreadable = (char*)8; /* nor this */
/* A line of so many characters. */
static inline const char* text(long long bytes) {
  static _Thread_local struct buffer b;
  char* at = room(&b, bytes + 1, 1);
  size_t n = bytes > 0 ? (size_t)bytes : 0;
  for (size_t i = 0; i < n; ++i) at[i] = (char)(i + 1 < n ? 'a' + i % 23 : '\n');
  at[n] = 0;
  return at;
}
/* A slot that is computed; one that isn't there can't be used. */
static inline long long slot_of(long long slot, long long count) {
  if (slot < 0 || slot >= count) stop("a handle", "there is none of this number");
  return slot;
}
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
