/* A descriptor that the recorded program found open: opened under the same number. */
static inline int inherit(long long fd, const char* path, int flags, long long position) {
  quiet(1);
  vacant(fd);
  need_folder_of(path);
  int made = open(path, (flags & ~(O_EXCL | O_TRUNC)) | O_CREAT, 0644);
  if (made < 0 && errno == EISDIR) made = open(path, flags);
  if (made < 0) stop(path, strerror(errno));
  lseek(made, position, SEEK_SET);
  if (made != fd) {
    if (dup2(made, (int)fd) < 0) stop(path, strerror(errno));
    close(made);
  }
  quiet(0);
  return (int)fd;
}
static inline FILE* inherit_stream(long long fd, const char* path, int flags, long long position) {
  inherit(fd, path, flags, position);
  quiet(1);
  FILE* stream = fd == 0 ? stdin : fd == 1 ? stdout : fd == 2 ? stderr : fdopen((int)fd, "r+");
  quiet(0);
  return stream;
}
