/* The program goes from folder to folder: where it is below the root, as "/folder", or nothing. */
static char standing[4200];
static inline int moved_to(int result) {
  const char* root = getenv("PWD"); /* set when the kernel began */
  char whole[4200];
  quiet(1);
  if (result == 0 && getcwd(whole, sizeof whole)) {
    if (strncmp(whole, root, strlen(root)) != 0) stop("a folder", "leads out of the root");
    snprintf(standing, sizeof standing, "%s", whole + strlen(root));
  }
  quiet(0);
  return result;
}
/* A path as it is, unless it is absolute or climbs above the root: then its image below the root, from here.
 */
static inline const char* here(const char* path) {
  static _Thread_local char places[8][8500];
  static _Thread_local unsigned next;
  char *at = places[next++ % 8], whole[8500];
  size_t used = 0, starts[2200];
  int depth = 0, climbs = *path == '/', up = 0;
  snprintf(whole, sizeof whole, "%s/%s", climbs ? "" : standing, path);
  for (const char* c = standing; *c; ++c) up += *c == '/';
  for (int i = 0; i < up; ++i) used += (size_t)sprintf(at + used, "../");
  for (char* word = strtok(whole, "/"); word && depth < 2200; word = strtok(NULL, "/")) {
    if (strcmp(word, "..") == 0) {
      if (depth == 0) climbs = 1;
      if (depth > 0) used = starts[--depth];
    } else if (strcmp(word, ".") != 0) {
      starts[depth] = used;
      used += (size_t)sprintf(at + used, depth == 0 ? "%s" : "/%s", word);
      ++depth;
    }
  }
  at[used] = 0;
  return climbs ? (used ? at : ".") : path;
}
