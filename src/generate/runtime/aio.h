// provides: prepared aio_done
static inline struct aiocb *prepared(struct aiocb *request, int fd, void *data, long long bytes, long long offset) {
  *request = (struct aiocb){.aio_fildes = fd, .aio_buf = data, .aio_nbytes = (size_t)bytes, .aio_offset = offset};
  return request;
}
static inline int aio_done(struct aiocb *request) {
  int error = aio_error(request);
  for (; error == EINPROGRESS; error = aio_error(request)) nanosleep(&(struct timespec){0, 50000}, NULL);
  return error;
}
