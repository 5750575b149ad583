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
