/* Requests by number, as the list that MPI takes. */
#define pick(all, ...) pick_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline MPI_Request* pick_of(const MPI_Request* all, size_t known, long long count,
                                   const long long* which) {
  MPI_Request* list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i)
    list[i] = which[i] < 0 ? MPI_REQUEST_NULL : all[slot_of(which[i], (long long)known)];
  return list;
}
/* Datatypes likewise. */
#define pick_types(all, ...) pick_types_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline MPI_Datatype* pick_types_of(const MPI_Datatype* all, size_t known, long long count,
                                          const long long* which) {
  MPI_Datatype* list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i) list[i] = all[slot_of(which[i], (long long)known)];
  return list;
}
