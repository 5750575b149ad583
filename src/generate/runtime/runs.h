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
