/* Stands for what is no file: a pipe, a socket, a terminal. */
static inline int other_fd(void) {
  static int fd = -1;
  quiet(1);
  if (fd < 0) fd = out_of_reach(open("/dev/null", O_RDWR | O_CLOEXEC));
  quiet(0);
  return fd;
}
