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
