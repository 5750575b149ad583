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
