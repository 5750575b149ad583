// What is kept beside a kernel: tables too long for a program, and files that must exist before it runs.
/* Tables that are too long for a program stand in a file beside it, which all processes map. The numbers of a
 * table are kept in blocks of 128, as small differences from a straight line. */
struct stored_block {
  unsigned long long first, step, scale;
  unsigned long long where; /* of the differences in the file, and in the last byte their width in bits */
};
struct stored_table {
  unsigned long long size, blocks;
};
static const char* stored; /* the file */
static inline const void* stored_at_byte(unsigned long long where) { return stored + where; }

/* Says it once on each host, and gives that time to be seen before a launcher ends everything. */
static inline void no_tables(const char* path, const char* reason) {
  const struct Launcher* started_by = own_launcher();
  if (started_by && launcher_number(started_by->local_rank) > 0)
    sleep(1);
  else
    dprintf(errors, KERNEL ": %s: %s\n", path, reason);
  exit(2);
}
static inline void map_tables(void) {
  static const char other[] = "this is not the file of tables that was made together with this program";
  static char path[PATH_MAX + sizeof TABLES];
  struct stat info;
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  while (length > 0 && path[length - 1] != '/') --length;
  if (length <= 0) no_tables(TABLES, "the folder of the program can't be found in /proc/self/exe");
  memcpy(path + length, TABLES, sizeof TABLES);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) no_tables(path, errno == ENOENT ? "missing; it belongs beside the program" : strerror(errno));
  if (fstat(fd, &info) != 0 || info.st_size != TABLES_LENGTH) no_tables(path, other);
  void* at = mmap(NULL, TABLES_LENGTH, PROT_READ, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) no_tables(path, strerror(errno));
  close(fd);
  stored = at;
  const unsigned long long* words = at;
  if (words[0] != 0x6c6261742d6e6672) no_tables(path, "this is no file of tables");
  if (words[1] != 1) no_tables(path, "this file of tables has a version that this program doesn't know");
  if (words[2] != TABLES_LENGTH || words[3] != TABLES_CHECKSUM) no_tables(path, other);
  unsigned long long sum = words[1];
  for (size_t i = 5; i < TABLES_LENGTH / 8; ++i) {
    sum = (sum ^ words[i]) * 0xff51afd7ed558ccd;
    sum ^= sum >> 32;
  }
  if (sum != words[3]) no_tables(path, "this file of tables is damaged: its checksum is wrong");
}

/* A number of a table, 0 outside. */
static inline long long stored_at(long long table, long long index) {
  const struct stored_table* t = (const struct stored_table*)stored_at_byte(40) + table;
  if (index < 0 || (unsigned long long)index >= t->size) return 0;
  const struct stored_block* b = (const struct stored_block*)stored_at_byte(t->blocks) + index / 128;
  const unsigned long long* words = stored_at_byte(b->where >> 8);
  unsigned long long width = b->where & 255, i = (unsigned long long)index % 128, rest = 0;
  if (width > 0) {
    unsigned long long bit = i * width, shift = bit % 64;
    rest = words[bit / 64] >> shift;
    if (shift + width > 64) rest |= words[bit / 64 + 1] << (64 - shift);
    if (width < 64) rest &= (1ULL << width) - 1;
  }
  return (long long)(b->first + i * b->step + rest * b->scale);
}
/* The same of runs, which are five tables: see struct run. */
static inline long long stored_run_at(long long runs, long long i) {
  const struct stored_table* begins = (const struct stored_table*)stored_at_byte(40) + runs;
  long long low = 0, high = (long long)begins->size - 1;
  if (i < 0 || i >= stored_at(runs, high)) return 0;
  while (high - low > 1) {
    long long middle = low + (high - low) / 2;
    if (stored_at(runs, middle) <= i)
      low = middle;
    else
      high = middle;
  }
  i -= stored_at(runs, low);
  long long length = stored_at(runs + 3, low), body = stored_at(runs + 4, low);
  long long value = wrap_add(stored_at(runs + 1, low), wrap_mul(stored_at(runs + 2, low), i / length));
  return body ? wrap_add(value, stored_run_at(body - 1, i % length)) : value;
}
static inline void* list_stored(long long table, long long count, size_t size) {
  char* list = room_for_list(count, size);
  for (long long i = 0; i < count; ++i) {
    long long n = stored_at(table, i);
    int narrow = (int)n;
    memcpy(list + (size_t)i * size, size == sizeof narrow ? (const void*)&narrow : (const void*)&n, size);
  }
  return list;
}
#include <sys/wait.h>  // waitpid
/* A file of at least so many bytes; what is there stays. Lines of the lengths given, as far as they go. */
static inline void need_lines(const char* path, long long size, const struct run* lines, long long count) {
  struct stat status;
  path = here(path);
  if (stat(path, &status) == 0 && (S_ISDIR(status.st_mode) || status.st_size >= size)) return;
  need_folder_of(path);
  FILE* file = fopen(path, "w");
  if (!file) stop(path, strerror(errno));
  long long done = 0;
  for (long long i = 0; i < count && done < size; ++i) {
    long long length = run_at(lines, i);
    for (long long k = 1; k < length; ++k) putc('a' + (int)(k % 23), file);
    putc('\n', file);
    done += length;
  }
  while (done < size) {
    size_t step = size - done < 65536 ? (size_t)(size - done) : 65536;
    if (fwrite(out(65536), 1, step, file) != step) stop(path, strerror(errno));
    done += (long long)step;
  }
  if (fclose(file) != 0) stop(path, strerror(errno));
  chmod(path, 0755);
}
static inline void need_file(const char* path, long long size) { need_lines(path, size, NULL, 0); }
/* A file that can't be made. */
static inline void need_copy(const char* path, const char* reason) {
  path = here(path);
  if (access(path, F_OK) != 0) stop(path, reason);
}
/* A link to a name of so many characters. */
static inline void need_link(const char* path, long long length) {
  char name[4200], target[4300];
  struct stat status;
  path = entry(path);
  if (lstat(path, &status) == 0 || length < 1 || length > 255) return;
  need_folder_of(path);
  memset(name, 'x', (size_t)length);
  name[length] = 0;
  const char* slash = strrchr(path, '/');
  snprintf(target, sizeof target, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
  need_lines(target, 0, NULL, 0);
  if (symlink(name, path) != 0) stop(path, strerror(errno));
}
/* So many entries in a folder, with the two that every folder has. */
static inline void need_entries(const char* path, long long count) {
  char filler[4300];
  need_folder(path);
  DIR* folder = opendir(path);
  long long found = 0;
  while (folder && readdir(folder)) ++found;
  if (folder) closedir(folder);
  for (long long i = 0; found < count; ++i, ++found) {
    if (snprintf(filler, sizeof filler, "%s/entry_%lld", path, i) >= (int)sizeof filler)
      stop(path, strerror(ENAMETOOLONG));
    need_file(filler, 0);
  }
}

/* Makes the inputs, if asked to: rank 0 does, in a process of its own, before anything else; the others wait.
 */
static inline void prepare(void (*make)(void)) {
  char mark[4400], job[100];
  inputs_left_out = !prepare_inputs;
  if (!prepare_inputs) return;
  quiet(1);
  job_name(job, sizeof job);
  snprintf(mark, sizeof mark, "%s/.%s.prepared.%s", getenv("PWD"), KERNEL, job);
  if (rank == 0) {
    pid_t child = fork();
    if (child == 0) {
      if (pause_recorder) pause_recorder();
      make();
      _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
      stop("--prepare", "inputs can't be made");
    int fd = open(mark, O_WRONLY | O_CREAT, 0644);
    if (fd >= 0) close(fd);
    snprintf(prepared_mark, sizeof prepared_mark, "%s", mark);
  }
  for (int i = 0; rank != 0 && access(mark, F_OK) != 0; ++i) {
    if (i == 60000) stop("--prepare", "rank 0 has not made the inputs within ten minutes");
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  quiet(0);
}
