extern void refrain_name(const char* name) __attribute__((weak));
static _Thread_local char made_up[4200], recorded_name[4200];
static _Thread_local void (*name_file)(const char*);
/* A name as it is given to mkstemp, which makes another of it. */
static inline char* unmade(const char* path, long long suffix) {
  snprintf(made_up, sizeof made_up, "%s", path);
  snprintf(recorded_name, sizeof recorded_name, "%s", path);
  size_t n = strlen(made_up), tail = 6 + (size_t)suffix;
  if (n >= tail) memset(made_up + n - tail, 'X', 6);
  name_file = refrain_name;
  if (!name_file) look_up("refrain_name", &name_file);
  if (name_file) name_file(recorded_name);
  return made_up;
}
/* The file gets the recorded name, which later calls use. */
static inline int made_temporary(int fd) {
  int error = errno;
  quiet(1);
  if (name_file) name_file(NULL);
  if (fd >= 0 && rename(made_up, recorded_name) != 0) stop(recorded_name, strerror(errno));
  quiet(0);
  errno = error;
  return fd;
}
