/* Names that calls made up, by the thread that made them and their numbers: what stands there in place of six
 * X. In paths they are written as their numbers between \001 and \002. */
struct made_name {
  long long thread, number;
  char text[7];
  struct made_name* next;
};
static struct made_name* made_names;
static inline struct made_name* made_name(long long thread, long long number) {
  struct made_name* first = __atomic_load_n(&made_names, __ATOMIC_ACQUIRE);
  for (struct made_name* m = first; m; m = m->next)
    if (m->thread == thread && m->number == number) return m;
  struct made_name* m = calloc(1, sizeof *m);
  if (!m) stop("memory for a name", strerror(ENOMEM));
  *m = (struct made_name){thread, number, "XXXXXX", first};
  while (!__atomic_compare_exchange_n(&made_names, &m->next, m, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  return m;
}
static _Thread_local struct made_name* to_be_made; /* the one that stood last in a path */
static inline const char* named(const char* path) {
  static _Thread_local char paths[8][4200];
  static _Thread_local unsigned next;
  char *at = paths[next++ % 8], *out = at;
  to_be_made = NULL;
  for (; *path && out < at + 4190; ++path) {
    char* end = NULL;
    long long number = *path == 1 && path[1] != 1 ? strtoll(path + 1, &end, 10) : 0;
    long long maker = end && *end == ',' ? strtoll(end + 1, &end, 10) : 0;
    if (end && *end == 2) {
      to_be_made = made_name(maker, number);
      memcpy(out, to_be_made->text, 6);
      out += 6;
      path = end;
    } else {
      *out++ = *path;
      path += *path == 1 && path[1] == 1;
    }
  }
  *out = 0;
  return at;
}
/* A name as it is given to mkstemp, which makes another of it; one that has no number gets its own in the
 * end. */
static _Thread_local char unmade_path[8600], literal_path[8600];
static _Thread_local size_t unmade_at;
static inline char* unmade(const char* path, long long suffix) {
  size_t n = strlen(path), tail = 6 + (size_t)(suffix < 0 ? 0 : suffix);
  snprintf(unmade_path, sizeof unmade_path, "%s", path);
  snprintf(literal_path, sizeof literal_path, "%s", to_be_made || failure_expected ? "" : path);
  unmade_at = n < tail || n >= sizeof unmade_path ? 0 : n - tail;
  if (n >= tail && (to_be_made || *literal_path)) memset(unmade_path + unmade_at, 'X', 6);
  return unmade_path;
}
static inline void keep_made(int worked) {
  int error = errno;
  if (worked && to_be_made) memcpy(to_be_made->text, unmade_path + unmade_at, 6);
  quiet(1);
  if (worked && *literal_path && rename(unmade_path, literal_path) != 0) stop(literal_path, strerror(errno));
  quiet(0);
  errno = error;
}
static inline int made_temporary(int fd) {
  keep_made(fd >= 0);
  return fd;
}
static inline char* made_folder(char* path) {
  keep_made(path != NULL);
  return path;
}
/* Linkers warn of mktemp; nothing is made here. */
static inline char* only_named(char* path) {
  static char* (*make_up)(char*);
  if (!make_up) look_up("mktemp", &make_up);
  if (make_up) make_up(path);
  keep_made(*path != 0);
  return path;
}
