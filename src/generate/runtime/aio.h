static inline struct aiocb* prepared(struct aiocb* request, int fd, void* data, long long bytes,
                                     long long offset) {
  *request =
      (struct aiocb){.aio_fildes = fd, .aio_buf = data, .aio_nbytes = (size_t)bytes, .aio_offset = offset};
  return request;
}
static inline int aio_done(struct aiocb* request) {
  int error = aio_error(request);
  for (; error == EINPROGRESS; error = aio_error(request)) nanosleep(&(struct timespec){0, 50000}, NULL);
  return error;
}
#define aio_picked(all, ...) aio_picked_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline const struct aiocb** aio_picked_of(struct aiocb* all, size_t known, long long count,
                                                 const long long* which) {
  const struct aiocb** list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i)
    list[i] = which[i] < 0 ? NULL : &all[slot_of(which[i], (long long)known)];
  return list;
}
#define aio_listed(all, ...) aio_listed_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline struct aiocb** aio_listed_of(struct aiocb* all, size_t known, long long count,
                                           const long long* which, const int* fds,
                                           const long long* operations, const long long* sizes,
                                           const long long* offsets) {
  struct aiocb** list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i) {
    list[i] = which[i] < 0 ? NULL
                           : prepared(&all[slot_of(which[i], (long long)known)], fds[i], out(sizes[i]),
                                      sizes[i], offsets[i]);
    if (list[i]) list[i]->aio_lio_opcode = (int)operations[i];
    if (list[i] && operations[i] == LIO_READ) list[i]->aio_buf = in(sizes[i]);
  }
  return list;
}
