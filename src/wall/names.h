/* Names that libraries take apart. */

/* MPI lets a name begin with the kind of its file system, as in "ufs:/folder/file": how long that is. */
static inline size_t prefix_length(const char* name) {
  size_t length = strcspn(name, ":/");
  return name[length] == ':' ? length + 1 : 0;
}
/* HDF5 adds a text to the name of a file, or puts the name where "%s" is in it, by printf: neither may lead
 * to another folder or be more than that. */
static inline int is_plain_extension(const char* text) {
  const char* percent = strchr(text, '%');
  return !strchr(text, '/') && (!percent || (percent[1] == 's' && !strchr(percent + 1, '%')));
}
/* HDF5 makes the names of a family of files by printf, too, each with its number: only a number may be in it.
 */
static inline int is_plain_series(const char* name) {
  const char* first = strchr(name, '%');
  if (first && strstr(first, "..")) return 0; /* behind a name that isn't known yet */
  for (const char* percent = first; percent; percent = strchr(percent, '%')) {
    percent += 1 + strspn(percent + 1, "0123456789");
    if (!*percent || !strchr("dux", *percent)) return 0;
  }
  return 1;
}
