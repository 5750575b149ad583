static inline void need_folder_of(const char* path) {
  char folder[4200];
  snprintf(folder, sizeof folder, "%s", path);
  char* slash = strrchr(folder, '/');
  if (!slash || slash == folder) return;
  *slash = 0;
  need_folder(folder);
}
