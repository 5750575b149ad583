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
/* A list of numbers of the size given. */
static inline void* list_of(const struct run* runs, long long count, size_t size) {
  void* list = room_for_list(count, size);
  for (long long i = 0; i < count; ++i) {
    long long n = run_at(runs, i);
    if (size == sizeof(int)) ((int*)list)[i] = (int)n;
    if (size == sizeof(long long)) ((long long*)list)[i] = n;
  }
  return list;
}
