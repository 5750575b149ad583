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
