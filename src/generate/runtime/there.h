#include <signal.h>  // sigaction SIGIO
/* Paths of files that another rank or thread makes. A message may have told this one that they are there;
 * messages are not repeated, so it looks, and waits. If it has waited in vain once, calls may fail. */
static const double patience_for_files = 60;
static int tired;
static inline void nap_until(double end) {
  struct timespec nap = {0, 500000};
  nanosleep(&nap, NULL);
  tired = now() > end;
}
static inline void await(const char* path) {
  quiet(1);
  for (double end = now() + patience_for_files; !tired && access(path, F_OK) != 0;) nap_until(end);
  quiet(0);
  began = now(); /* this was no part of the call */
}
static inline const char* there(const char* path) {
  await(path);
  return path;
}
static inline const char* folder_there(const char* path) {
  char folder[4200];
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/') --end; /* a folder may be made with a slash behind its name */
  while (end > 0 && path[end - 1] != '/') --end;
  snprintf(folder, sizeof folder, "%.*s", end ? (int)end : 1, end ? path : ".");
  await(folder);
  return path;
}
/* For what another rank makes and yet another removes: it may be over already. */
static inline const char* there_by_chance(const char* path) {
  static int vain;
  quiet(1);
  for (double end = now() + 0.5; vain < 3 && access(path, F_OK) != 0;) {
    struct timespec nap = {0, 500000};
    nanosleep(&nap, NULL);
    if (now() <= end) continue;
    ++vain;
    break;
  }
  quiet(0);
  began = now();
  return path;
}
/* For what another rank makes anew, and this one appends to: when nobody has it open to write. A lease to
 * read is refused until then; who opens it in that instant would send a signal. */
static inline const char* written(const char* path) {
  static int vain;
  struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
  await(path);
  quiet(1);
  sigaction(SIGIO, &ignored, &before);
  for (double end = now() + 10; vain < 3;) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int busy = fd >= 0 && fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    if (fd >= 0) close(fd);
    if (!busy) break;
    nanosleep(&(struct timespec){0, 500000}, NULL);
    if (now() > end) {
      ++vain;
      break;
    }
  }
  sigaction(SIGIO, &before, NULL);
  quiet(0);
  began = now();
  return path;
}
/* For calls that came too late to remove a file: when it is no more. */
static inline const char* no_more(const char* path) {
  quiet(1);
  for (double end = now() + 10; !tired && access(path, F_OK) == 0;) nap_until(end);
  quiet(0);
  began = now();
  return path;
}
/* Data that another rank or thread writes: so many bytes, from there on or, if that is negative, from where
 * the file stands. */
static inline long long data_there(int fd, long long at, long long bytes) {
  struct stat status;
  quiet(1);
  if (at < 0) at = lseek(fd, 0, SEEK_CUR);
  for (double end = now() + patience_for_files; bytes > 0 && at >= 0 && !tired;) {
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size >= at + bytes) break;
    nap_until(end);
  }
  quiet(0);
  return bytes;
}
static inline long long stream_data_there(FILE* stream, long long bytes) {
  quiet(1);
  long long at = ftell(stream);
  if (at >= 0) data_there(fileno(stream), at, bytes);
  quiet(0);
  return bytes;
}
