/* The folder that a replay or a kernel stays in, and where paths lead as seen from it. Whether one stays
 * below is asked by system calls of our own, past a recorder: they are not the application's. */
static int wall_root = -1;     /* the folder; see out_of_reach */
static char wall_folder[4200]; /* its absolute path; empty: "/" */
static int wall_moves;         /* the process goes from folder to folder */
static int wall_shared;        /* other threads or processes change what is below it meanwhile */

/* Where a folder is below the root, as "a/b", or "" if it is the root. -1 if it isn't below, or can't be
 * told. */
static inline int wall_where(int at, char* place, size_t size) {
  char link[64], whole[4200];
  size_t root = strlen(wall_folder);
  long length;
  *place = 0;
  if (at == AT_FDCWD && !wall_moves) return 0;
  if (at == AT_FDCWD) {
    length = syscall(SYS_getcwd, whole, sizeof whole) - 1;
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    length = syscall(SYS_readlinkat, AT_FDCWD, link, whole, sizeof whole - 1);
  }
  if (length <= 0) return -1;
  whole[length] = 0;
  if (strncmp(whole, wall_folder, root) != 0 || (whole[root] && whole[root] != '/')) return -1;
  snprintf(place, size, "%s", whole + root + (whole[root] == '/'));
  return 0;
}

/* The next component of a path: its length, and where it starts. 0 at the end. */
static inline size_t wall_component(const char** path) {
  while (**path == '/') ++*path;
  return strcspn(*path, "/");
}
static inline int wall_is_up(const char* component, size_t length) {
  return length == 2 && component[0] == '.' && component[1] == '.';
}
static inline int wall_is_here(const char* component, size_t length) {
  return length == 1 && component[0] == '.';
}
/* How deep below the root a place is. */
static inline int wall_depth(const char* place) {
  int depth = 0;
  for (size_t length; (length = wall_component(&place)) > 0; place += length) ++depth;
  return depth;
}
/* How far a path climbs above where it starts, at most, if no link is on its way. */
static inline int wall_climb(const char* path) {
  int level = 0, highest = 0;
  for (size_t length; (length = wall_component(&path)) > 0; path += length) {
    if (wall_is_here(path, length)) continue;
    level += wall_is_up(path, length) ? 1 : -1;
    if (level > highest) highest = level;
  }
  return highest;
}
/* Appends a component to a path without `..`, or takes the last one away. */
static inline void wall_step(char* place, size_t size, const char* component, size_t length) {
  size_t used = strlen(place);
  if (wall_is_here(component, length)) return;
  if (!wall_is_up(component, length)) {
    snprintf(place + used, size - used, used ? "/%.*s" : "%.*s", (int)length, component);
    return;
  }
  while (used > 0 && place[used - 1] != '/') --used;
  place[used ? used - 1 : 0] = 0;
}
/* What leads from `place` to the image of a path: an absolute one is taken below the root, and no `..` leaves
 * it. */
static inline const char* wall_image(const char* place, const char* path, char* image, size_t size) {
  char whole[8500] = "";
  size_t used = 0;
  if (*path != '/') snprintf(whole, sizeof whole, "%s", place);
  for (size_t length; (length = wall_component(&path)) > 0; path += length)
    wall_step(whole, sizeof whole, path, length);
  for (int depth = wall_depth(place); depth > 0 && used + 4 < size; --depth)
    used += (size_t)snprintf(image + used, size - used, "../");
  snprintf(image + used, size - used, "%s", *whole || used ? whole : ".");
  return image;
}
/* A path as it is, unless it is absolute or climbs above the root: then what leads to its image. */
static inline const char* wall_spelled(const char* place, const char* path, char* image, size_t size) {
  if (*path != '/' && wall_climb(path) <= wall_depth(place)) return path;
  return wall_image(place, path, image, size);
}

/* Where a path below the root leads, link by link: `physical` is the same path without links. The reason why
 * it doesn't stay below, or NULL; also where nothing is, which no call gets past. */
static inline const char* wall_walk(const char* path, int follow, char* physical, size_t size) {
  char rest[8500], longer[8500], target[4200];
  snprintf(rest, sizeof rest, "%s", path);
  *physical = 0;
  int links = 0;
  for (const char* at = rest; *at;) {
    size_t length = wall_component(&at);
    if (length == 0) break;
    if (wall_is_up(at, length) && !*physical) return "leads out of the root";
    if (strlen(physical) + length + 2 > size) return "is too long to be looked up";
    wall_step(physical, size, at, length);
    int last = at[length] == 0, plain = !wall_is_up(at, length) && !wall_is_here(at, length);
    at += length;
    long found = plain ? syscall(SYS_readlinkat, wall_root, physical, target, sizeof target - 1) : -1;
    if (found < 0 && plain && errno != EINVAL) {
      for (; (length = wall_component(&at)) > 0; at += length) wall_step(physical, size, at, length);
      return NULL;
    }
    if (found < 0 || (last && !follow)) continue;
    target[found] = 0;
    if (*target == '/') return "leads out of the root";
    if (++links > 40) return NULL;
    wall_step(physical, size, "..", 2);
    if ((size_t)snprintf(longer, sizeof longer, "%s/%s", target, at) >= sizeof longer)
      return "is too long to be looked up";
    memcpy(rest, longer, sizeof rest);
    at = rest;
  }
  return NULL;
}

/* The error with which the kernel stops looking a path up, below the root; 0 if it doesn't. */
struct wall_how {
  uint64_t flags, mode, resolve;
};
static inline int wall_lookup(const char* path, int follow, uint64_t resolve) {
  enum { openat2_number = 437 }; /* everywhere; headers may be older */
  struct wall_how how = {(uint64_t)(O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)), 0, resolve};
  long found = -1;
  for (int turn = 0; turn < 100; ++turn) {
    found = syscall(openat2_number, wall_root, path, &how, sizeof how);
    if (found >= 0 || errno != EAGAIN) break; /* something else was renamed meanwhile */
  }
  if (found < 0) return errno;
  syscall(SYS_close, found);
  return 0;
}
/* Asks the kernel whether a path below the root stays there. The reason if not. */
static inline const char* wall_resolves(const char* path, int follow) {
  enum { resolve_no_magiclinks = 2, resolve_beneath = 8 };
  char physical[8500];
  int error = wall_lookup(path, follow, resolve_beneath | resolve_no_magiclinks);
  /* Either a loop of links, which stops the call as well, or a link of /proc, which wouldn't. */
  if (error == ELOOP && wall_lookup(path, follow, resolve_beneath) != ELOOP) error = EXDEV;
  if (error == EXDEV) return "leads out of the root";
  /* What stops it would stop the call as well. */
  if (error == 0 || error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP) return NULL;
  return wall_walk(path, follow, physical, sizeof physical);
}

/* Whether a folder is where it seems to be: it may have been removed, and `..` leads on from there. */
static inline int wall_is_there(int at, const char* place) {
  struct statx here, there;
  if (syscall(SYS_statx, at, "", AT_EMPTY_PATH, STATX_INO, &here) != 0) return 0;
  if (syscall(SYS_statx, wall_root, place, AT_SYMLINK_NOFOLLOW, STATX_INO, &there) != 0) return 0;
  return here.stx_ino == there.stx_ino && here.stx_dev_minor == there.stx_dev_minor &&
         here.stx_dev_major == there.stx_dev_major;
}

/* Where a call may look a path up, from folder `at`: the path or its image. Then `*reason` is NULL; else it
 * says why the path can't be used. `follow`: whether the call follows a link at its end. */
static inline const char* wall_place(int at, const char* path, int follow, char* image, size_t size,
                                     const char** reason) {
  char place[4200], whole[8500];
  *reason = NULL;
  if (!*path || strlen(path) >= 4096) return path; /* the call says so itself */
  if (wall_where(at, place, sizeof place) != 0) {
    struct statx status; /* below what is no folder the call finds nothing */
    int asked = (int)syscall(SYS_statx, at, "", AT_EMPTY_PATH, STATX_TYPE, &status);
    if (asked == 0 && S_ISDIR(status.stx_mode)) *reason = "starts from a folder that is not below the root";
    return wall_spelled("", path, image, size);
  }
  const char* spelled = wall_spelled(place, path, image, size);
  if (*place && wall_climb(spelled) > 0 && !wall_is_there(at, place)) {
    *reason = "starts from a folder that was removed";
    return path;
  }
  snprintf(whole, sizeof whole, *place ? "%s/%s" : "%s%s", place, spelled);
  *reason = strlen(whole) < 4096 ? wall_resolves(whole, follow) : "is too long to be looked up";
  /* What `..` leads to may change between now and the call: then the path is spelled without, from the root
   * on. */
  if (wall_shared && !*reason && strstr(spelled, "..")) {
    char physical[8500];
    *reason = wall_walk(whole, follow, physical, sizeof physical);
    if (snprintf(image, size, "%s/%s", wall_folder, physical) >= (int)size)
      *reason = "is too long to be looked up";
    return image;
  }
  return spelled;
}

/* The folder that the process is in becomes the root. -1 if it can't. */
static inline int wall_begin(void) {
  keep_open_descriptors();
  long length = syscall(SYS_getcwd, wall_folder, sizeof wall_folder);
  if (length <= 0) return -1;
  if (strcmp(wall_folder, "/") == 0) wall_folder[0] = 0;
  wall_root = out_of_reach((int)syscall(SYS_openat, AT_FDCWD, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  return wall_root < 0 ? -1 : 0;
}
