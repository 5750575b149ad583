// Paths of calls below the root, the folders that they need, and waiting for files and data of others.
/* Paths as calls may be given them: as they are, or their images below the root. A kernel ends where a link
 * leads out of it, unless the recorded call failed, too. */
static inline const char* refused(const char* what, const char* reason) {
  if (!failure_expected) stop(what, reason);
  return "";
}
static inline const char* placed(int at, const char* path, int follow) {
  static _Thread_local char places[8][8500];
  static _Thread_local unsigned next;
  const char* reason;
  const char* place = wall_place(at, path, follow, places[next++ % 8], sizeof places[0], &reason);
  if (reason) place = refused(path, reason);
  began = now(); /* this was no part of the call */
  return place;
}
static inline const char* here(const char* path) { return placed(AT_FDCWD, path, 1); }
static inline const char* here_at(int at, const char* path) { return placed(at, path, 1); }
/* For calls that don't follow a link. */
static inline const char* entry(const char* path) { return placed(AT_FDCWD, path, 0); }
static inline const char* entry_at(int at, const char* path) { return placed(at, path, 0); }
/* For libraries that let a name begin with the kind of its file system. */
static inline const char* file_here(const char* path) {
  static _Thread_local char names[8][8600];
  static _Thread_local unsigned next;
  size_t prefix = prefix_length(path);
  const char* place = here(path + prefix);
  if (prefix == 0) return place;
  char* at = names[next++ % 8];
  snprintf(at, sizeof names[0], "%.*s%s", (int)prefix, path, place);
  if (strcmp(here(at), at) != 0) return refused(at, "may lead out of the root"); /* taken as it is */
  return at;
}
/* For what HDF5 adds to a name, and for the name of a family of files. */
static inline const char* extension(const char* text) {
  return is_plain_extension(text) ? text : refused(text, "is more than HDF5 may add to a name");
}
static inline const char* series(const char* name) {
  return is_plain_series(name) ? name : refused(name, "holds more than the number of a file");
}
/* What a link may lead to that is made there. */
static inline const char* leading(int at, const char* path, const char* target) {
  static _Thread_local char image[8500];
  return wall_target(at, path, target, image, sizeof image);
}
/* Where something may go that is elsewhere now. */
static inline const char* moving(int from_at, const char* from, int to_at, const char* to) {
  const char* reason = wall_move(from_at, from, to_at, to);
  return reason ? refused(to, reason) : to;
}
static inline const char* exchanging(int from_at, const char* from, int to_at, const char* to) {
  const char* reason = wall_move(to_at, to, from_at, from);
  return reason ? refused(from, reason) : moving(from_at, from, to_at, to);
}
/* The program goes from folder to folder. */
static inline int moved_to(int result) {
  char place[4200];
  wall_moves = 1;
  if (result == 0 && wall_where(AT_FDCWD, place, sizeof place) != 0)
    stop("a folder", "leads out of the root");
  return result;
}
/* Makes a folder and those above it, as far as they are missing. */
static inline void need_folder(const char* path) {
  char folder[4200];
  if (snprintf(folder, sizeof folder, "%s/", here(path)) >= (int)sizeof folder)
    stop(path, strerror(ENAMETOOLONG));
  quiet(1);
  for (char* slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(folder, 0777);
    *slash = '/';
  }
  quiet(0);
}
static inline void need_folder_of(const char* path) {
  char folder[4200];
  snprintf(folder, sizeof folder, "%s", path);
  char* slash = strrchr(folder, '/');
  if (!slash || slash == folder) return;
  *slash = 0;
  need_folder(folder);
}
/* Names that a library uses later: of a file, and of a folder. */
static inline const char* later(const char* path) {
  if (!*here(path)) return "";
  need_folder_of(path);
  return path;
}
static inline const char* later_below(const char* path) {
  if (!*here(path)) return "";
  need_folder(path);
  return path;
}
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
/* A standard stream that the recorded program replaces: ours goes on under another number. */
static int vacated[3];
static inline int vacant(long long fd) {
  if (fd < 0 || fd > 2 || vacated[fd]) return (int)fd;
  quiet(1);
  vacated[fd] = 1;
  if (fd == 1 && output == 1) output = out_of_reach(dup(1));
  if (fd == 2 && errors == 2) errors = out_of_reach(dup(2));
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, (int)fd);
  close(null);
  quiet(0);
  return (int)fd;
}
