/* Requests by number, as the list that MPI takes. */
static inline MPI_Request* pick(const MPI_Request* all, long long count, const long long* which) {
  MPI_Request* list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i) list[i] = which[i] < 0 ? MPI_REQUEST_NULL : all[which[i]];
  return list;
}
/* Datatypes likewise. */
static inline MPI_Datatype* pick_types(const MPI_Datatype* all, long long count, const long long* which) {
  MPI_Datatype* list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i) list[i] = all[which[i]];
  return list;
}
