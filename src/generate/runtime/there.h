/* Paths of files that another rank makes. A message may have told this one that they are there; messages are
 * not repeated, so it looks, and waits. If it has waited in vain once, calls may fail. */
static inline void await(const char* path) {
  static const double patience_for_files = 60;
  static int tired;
  quiet(1);
  for (double end = now() + patience_for_files; !tired && access(path, F_OK) != 0; tired = now() > end) {
    struct timespec nap = {0, 500000};
    nanosleep(&nap, NULL);
  }
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
