// provides: unmade
/* A name as it is given to mkstemp. */
static inline char* unmade(const char* path, long long suffix) {
  static _Thread_local char name[4200];
  snprintf(name, sizeof name, "%s", path);
  size_t n = strlen(name), tail = 6 + (size_t)suffix;
  if (n >= tail) memset(name + n - tail, 'X', 6);
  return name;
}
