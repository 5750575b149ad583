/* In place of the pipe that data went through stands another, filled before it is read from and emptied when
 * it was written to. */
static inline ssize_t spliced(int in_fd, off64_t* in_offset, int out_fd, off64_t* out_offset, long long count,
                              unsigned flags, long long bytes) {
  static _Thread_local int ends[2] = {-1, -1};
  int reads = in_fd == other_fd(), writes = out_fd == other_fd();
  char rest[4096];
  quiet(1);
  if (ends[0] < 0) {
    int low[2];
    if (pipe2(low, O_CLOEXEC | O_NONBLOCK) != 0) stop("pipe2", strerror(errno));
    for (int i = 0; i < 2; ++i) ends[i] = out_of_reach(low[i]);
  }
  fcntl(ends[1], F_SETPIPE_SZ, bytes > 4096 ? (int)bytes : 4096);
  if (reads && bytes > 0 && write(ends[1], out(bytes), (size_t)bytes) < 0) stop("a pipe", strerror(errno));
  quiet(0);
  ssize_t moved_bytes =
      splice(reads ? ends[0] : in_fd, in_offset, writes ? ends[1] : out_fd, out_offset, (size_t)count, flags);
  int error = errno;
  quiet(1);
  while (read(ends[0], rest, sizeof rest) > 0) {
  }
  quiet(0);
  errno = error;
  return moved_bytes;
}
