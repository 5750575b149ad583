/* Symbolic links that a trace makes or moves never lead out of the root, so that nobody can be led out by one
 * between the moment that a path is looked at and the moment that it is used. */

/* Where the folder lies that holds the last component of a path, without links; the depth of it. */
static inline int wall_folder_of(int at, const char* path, char* folder, size_t size) {
  char place[4200], whole[8500];
  if (wall_where(at, place, sizeof place) != 0) *place = 0;
  snprintf(whole, sizeof whole, *place ? "%s/%s" : "%s%s", place, path);
  size_t end = strlen(whole);
  while (end > 0 && whole[end - 1] == '/') --end;
  while (end > 0 && whole[end - 1] != '/') --end;
  whole[end] = 0;
  if (wall_walk(whole, 1, folder, size) != NULL) *folder = 0;
  return wall_depth(folder);
}

/* What a link may lead to that is made as `path`, which wall_place() gave: the target as it is, or its image
 * if it would lead out; with `..` in front only, because what lies between might become a link as well. */
static inline const char* wall_target(int at, const char* path, const char* target, char* image,
                                      size_t size) {
  char folder[8500], names[8500] = "";
  int ups = 0, inner = 0;
  const char* rest = target;
  size_t used = 0;
  if (!*target || strlen(target) >= 4096) return target;
  for (size_t length; (length = wall_component(&rest)) > 0; rest += length) {
    int up = wall_is_up(rest, length);
    if (up && !*names) ++ups;
    if (up && *names) inner = 1;
    if (!up || *names) wall_step(names, sizeof names, rest, length);
  }
  if (wall_folder_of(at, path, folder, sizeof folder) < ups || *target == '/')
    return wall_image(folder, target, image, size);
  if (!inner) return target;
  for (; ups > 0 && used + 4 < size; --ups) used += (size_t)snprintf(image + used, size - used, "../");
  snprintf(image + used, size - used, "%s", *names || used ? names : ".");
  return image;
}

/* Whether something below the root that comes to lie in a folder so deep is a link that leads out there, or a
 * folder that holds one. */
static inline int wall_leads_out(const char* path, int depth) {
  enum { most_levels = 500 };
  char target[4200], entry[8500];
  long found = syscall(SYS_readlinkat, wall_root, path, target, sizeof target - 1);
  if (found >= 0) target[found] = 0;
  if (found >= 0) return *target == '/' || wall_climb(target) > depth;
  int folder = (int)syscall(SYS_openat, wall_root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return errno != ENOTDIR && errno != ENOENT && errno != ELOOP; /* who knows what it holds */
  int out = depth > most_levels;
  _Alignas(8) char entries[4096];
  for (long bytes; !out && (bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
    for (long at = 0; at < bytes && !out;) {
      unsigned short length; /* an entry: number, offset, length, type, name */
      const char* name = entries + at + 19;
      memcpy(&length, entries + at + 16, sizeof length);
      at += length;
      if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
      int written = snprintf(entry, sizeof entry, "%s/%s", path, name);
      out = written < 0 || written >= (int)sizeof entry || wall_leads_out(entry, depth + 1);
    }
  syscall(SYS_close, folder);
  return out;
}
/* Whether what is at one place may go to another, as wall_place() gave them. The reason if not. */
static inline const char* wall_move(int from_at, const char* from, int to_at, const char* to) {
  char whole[8500], folder[8500];
  const char* last = from + strlen(from);
  int depth = wall_folder_of(to_at, to, folder, sizeof folder);
  if (wall_folder_of(from_at, from, folder, sizeof folder) <= depth) return NULL; /* it leads no further up */
  while (last > from && last[-1] == '/') --last;
  size_t end = (size_t)(last - from);
  while (last > from && last[-1] != '/') --last;
  snprintf(whole, sizeof whole, *folder ? "%s/%.*s" : "%s%.*s", folder, (int)(from + end - last), last);
  return wall_leads_out(whole, depth) ? "would be a link that leads out of the root, or hold one" : NULL;
}
