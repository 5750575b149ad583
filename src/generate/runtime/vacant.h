/* A standard stream that the recorded program replaces: ours goes on under another number. */
static inline int vacant(long long fd) {
  static int done[3];
  if (fd < 0 || fd > 2 || done[fd]) return (int)fd;
  quiet(1);
  done[fd] = 1;
  if (fd == 1) output = out_of_reach(dup(1));
  if (fd == 2) errors = out_of_reach(dup(2));
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, (int)fd);
  close(null);
  quiet(0);
  return (int)fd;
}
