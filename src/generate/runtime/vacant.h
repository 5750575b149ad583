/* A standard stream that the recorded program replaces: ours goes on under another number. */
static inline int vacant(long long fd) {
  static int done[3];
  if (fd < 0 || fd > 2 || done[fd]) return (int)fd;
  quiet(1);
  done[fd] = 1;
  if (fd == 1) output = fcntl(1, F_DUPFD_CLOEXEC, 100);
  if (fd == 2) errors = fcntl(2, F_DUPFD_CLOEXEC, 100);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, (int)fd);
  close(null);
  quiet(0);
  return (int)fd;
}
