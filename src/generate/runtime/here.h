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
