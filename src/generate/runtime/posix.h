// Calls of the system and of stdio that need more than their arguments, or that are replaced by others.
/* A descriptor that the recorded program found open: opened under the same number. */
static inline int inherit(long long fd, const char* path, int flags, long long position) {
  quiet(1);
  int given = handed_down ? handed_down((int)fd, path, flags) : -1;
  if (given >= 0 && (given == fd || dup2(given, (int)fd) >= 0)) {
    if (fd <= 2) vacated[fd] = 1;
    quiet(0);
    return (int)fd;
  }
  vacant(fd);
  need_folder_of(path);
  int made = open(path, (flags & ~(O_EXCL | O_TRUNC)) | O_CREAT, 0644);
  if (made < 0 && errno == EISDIR) made = open(path, flags);
  if (made < 0) stop(path, strerror(errno));
  lseek(made, position, SEEK_SET);
  if (made != fd) {
    if (dup2(made, (int)fd) < 0) stop(path, strerror(errno));
    close(made);
  }
  quiet(0);
  return (int)fd;
}
static inline FILE* inherit_stream(long long fd, const char* path, int flags, long long position) {
  inherit(fd, path, flags, position);
  quiet(1);
  FILE* stream = fd == 0 ? stdin : fd == 1 ? stdout : fd == 2 ? stderr : fdopen((int)fd, "r+");
  quiet(0);
  return stream;
}
/* Stands for what is no file: a pipe, a socket, a terminal. */
static inline int other_fd(void) {
  static int fd = -1;
  quiet(1);
  if (fd < 0) fd = out_of_reach(open("/dev/null", O_RDWR | O_CLOEXEC));
  quiet(0);
  return fd;
}
/* Functions that would do more here than in the recorded program: close descriptors of ours, make a file
 * elsewhere. A recorder records calls of them and does what these do. */
extern void refrain_replace(int (*)(unsigned, unsigned, int), void (*)(int), FILE* (*)(void))
    __attribute__((weak));
static inline void close_from_around(int first) { close_around(first < 0 ? 0 : (unsigned)first, ~0u, 0); }
static inline FILE* tmpfile_below(void) {
  char name[4300];
  quiet(1);
  snprintf(name, sizeof name, "%s/", wall_folder);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    snprintf(name, sizeof name, "%s/.refrain.XXXXXX", wall_folder);
    fd = mkstemp(name);
    if (fd >= 0) unlink(name);
  }
  FILE* file = fd < 0 ? NULL : fdopen(fd, "w+");
  quiet(0);
  return file;
}
static inline int recorder_replaces(void) {
  void (*replace)(int (*)(unsigned, unsigned, int), void (*)(int), FILE* (*)(void)) = refrain_replace;
  if (!replace) look_up("refrain_replace", &replace);
  if (replace) replace(close_around, close_from_around, tmpfile_below);
  return replace != NULL;
}
#ifdef __GLIBC__
#if !__GLIBC_PREREQ(2, 34) /* which brought these two; the recorder has them, too */
extern int close_range(unsigned first, unsigned last, int flags) __attribute__((weak));
extern void closefrom(int first) __attribute__((weak));
#define close_range_is_here (close_range != NULL)
#define closefrom_is_here (closefrom != NULL)
#endif
#endif
#ifndef closefrom_is_here
#define close_range_is_here 1
#define closefrom_is_here 1
#endif
static inline int close_range_but_ours(unsigned first, unsigned last, int flags) {
  int hooked = recorder_replaces() && close_range_is_here;
  return hooked ? close_range(first, last, flags) : close_around(first, last, flags);
}
static inline void closefrom_but_ours(int first) {
  int hooked = recorder_replaces() && closefrom_is_here;
  hooked ? closefrom(first) : close_from_around(first);
}
static inline FILE* tmpfile_here(void) { return recorder_replaces() ? tmpfile() : tmpfile_below(); }
/* What could do harm beyond the root is not made. */
static inline unsigned long harmless(unsigned long request) {
  char what[40];
  if (is_harmless_request(request)) return request;
  snprintf(what, sizeof what, "ioctl 0x%lx", request);
  refused(what, "is none of the requests that a kernel makes");
  return 0;
}
static inline mode_t no_device(mode_t mode) {
  if (!is_device(mode)) return mode;
  refused("mknod", "devices are not made again");
  return S_IFDIR;
}
/* In place of what is no file, and of a command of fcntl. */
static inline int no_file(void) {
  refused("a call", "changes something that is no file");
  return -1;
}
static inline int no_signals(void) {
  refused("fcntl", "would have signals sent to another process");
  return -1;
}
/* An address in a mapping of this program. */
static inline char* within(const char* map, long long offset, long long length, int unmaps) {
  uintptr_t begin = (uintptr_t)map + (uintptr_t)offset;
  if (is_mapped(begin, (size_t)length, unmaps && !failure_expected)) return (char*)begin;
  refused("memory", "it is not mapped by this program");
  return (char*)1;
}
/* What the recorded program stored into a mapped file, or may have. A recorder is told where, so that a
 * recording has it at the same place. */
enum { somewhere = 1 };
extern void refrain_note_stores(const void*, size_t, int) __attribute__((weak));
static inline __attribute__((always_inline)) ssize_t stored_pages(char* at, long long length, int how) {
  static _Thread_local void (*note_stores)(const void*, size_t, int);
  static _Thread_local int looked;
  ssize_t bytes = store_pages(at, (size_t)length);
  if (!looked++ && !(note_stores = refrain_note_stores)) look_up("refrain_note_stores", &note_stores);
  if (bytes >= 0 && note_stores) note_stores(at, (size_t)length, how);
  return bytes;
}
/* In place of the pipe that data went through stands another, filled before it is read from and emptied when
 * it was written to. */
static inline ssize_t spliced(int in_fd, off64_t* in_offset, int out_fd, off64_t* out_offset, long long count,
                              unsigned flags, long long bytes) {
  static _Thread_local int ends[2] = {-1, -1};
  int reads = in_fd == other_fd(), writes = out_fd == other_fd();
  char rest[4096];
  quiet(1);
  if (ends[0] < 0) {
    int low[2];
    if (pipe2(low, O_CLOEXEC | O_NONBLOCK) != 0) stop("pipe2", strerror(errno));
    for (int i = 0; i < 2; ++i) ends[i] = out_of_reach(low[i]);
  }
  fcntl(ends[1], F_SETPIPE_SZ, bytes > 4096 ? (int)bytes : 4096);
  if (reads && bytes > 0 && write(ends[1], out(bytes), (size_t)bytes) < 0) stop("a pipe", strerror(errno));
  quiet(0);
  ssize_t moved_bytes =
      splice(reads ? ends[0] : in_fd, in_offset, writes ? ends[1] : out_fd, out_offset, (size_t)count, flags);
  int error = errno;
  quiet(1);
  while (read(ends[0], rest, sizeof rest) > 0) {
  }
  quiet(0);
  errno = error;
  return moved_bytes;
}
/* An access control list that says what the permission bits 0644 say: owner, group and others. */
static const unsigned char plain_access_list[28] = {2,   0,   0, 0, 1,   0,   6,   0,   255, 255,
                                                    255, 255, 4, 0, 4,   0,   255, 255, 255, 255,
                                                    32,  0,   4, 0, 255, 255, 255, 255};
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
/* Stands for a stream of the recorded program's own functions: what is read is made up, line by line and
 * without end; what is written goes nowhere. */
struct cookie {
  off64_t at, end;
};
static inline ssize_t cookie_read(void* cookie, char* to, size_t n) {
  struct cookie* c = cookie;
  for (size_t i = 0; i < n; ++i, ++c->at) to[i] = (char)(c->at % 64 == 63 ? '\n' : 'a' + c->at % 23);
  return (ssize_t)n;
}
static inline ssize_t cookie_write(void* cookie, const char* from, size_t n) {
  struct cookie* c = cookie;
  (void)from;
  c->at += (off64_t)n;
  if (c->at > c->end) c->end = c->at;
  return (ssize_t)n;
}
static inline int cookie_seek(void* cookie, off64_t* offset, int whence) {
  struct cookie* c = cookie;
  c->at = *offset + (whence == SEEK_CUR ? c->at : whence == SEEK_END ? c->end : 0);
  if (c->at < 0) c->at = 0;
  *offset = c->at;
  return 0;
}
static inline int cookie_close(void* cookie) { return free(cookie), 0; }
static const cookie_io_functions_t cookie_functions = {cookie_read, cookie_write, cookie_seek, cookie_close};
static inline void* new_cookie(void) {
  void* cookie = calloc(1, sizeof(struct cookie));
  if (!cookie) stop("memory for a stream", strerror(ENOMEM));
  return cookie;
}
static inline struct aiocb* prepared(struct aiocb* request, int fd, void* data, long long bytes,
                                     long long offset) {
  *request =
      (struct aiocb){.aio_fildes = fd, .aio_buf = data, .aio_nbytes = (size_t)bytes, .aio_offset = offset};
  return request;
}
static inline int aio_done(struct aiocb* request) {
  int error = aio_error(request);
  for (; error == EINPROGRESS; error = aio_error(request)) nanosleep(&(struct timespec){0, 50000}, NULL);
  return error;
}
#define aio_picked(all, ...) aio_picked_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline const struct aiocb** aio_picked_of(struct aiocb* all, size_t known, long long count,
                                                 const long long* which) {
  const struct aiocb** list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i)
    list[i] = which[i] < 0 ? NULL : &all[slot_of(which[i], (long long)known)];
  return list;
}
#define aio_listed(all, ...) aio_listed_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline struct aiocb** aio_listed_of(struct aiocb* all, size_t known, long long count,
                                           const long long* which, const int* fds,
                                           const long long* operations, const long long* sizes,
                                           const long long* offsets) {
  struct aiocb** list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i) {
    list[i] = which[i] < 0 ? NULL
                           : prepared(&all[slot_of(which[i], (long long)known)], fds[i], out(sizes[i]),
                                      sizes[i], offsets[i]);
    if (list[i]) list[i]->aio_lio_opcode = (int)operations[i];
    if (list[i] && operations[i] == LIO_READ) list[i]->aio_buf = in(sizes[i]);
  }
  return list;
}
/* Reads as many words as the recorded call did, and the rest of the line; none, or what shows the end. */
static inline int scan(FILE* stream, long long words) {
  static char format[200], w[4];
  int none = 0;
  format[0] = 0;
  for (long long i = 0; i < words && i < 32; ++i) strcat(format, "%1s");
  strcat(format, words > 0 ? "%*[^\n]%*1[\n]" : "%1s");
  return words == 0 ? fscanf(stream, "%n", &none)
                    : fscanf(stream, format, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w,
                             w, w, w, w, w, w, w, w, w, w);
}
/* Through variables, because headers may replace these functions by others. */
static int (*volatile get_character)(void) = getchar;
static int (*volatile put_character)(int) = putchar;
static _Thread_local char* last_line;
static _Thread_local size_t last_line_size;
static _Thread_local fpos_t last_position;
static _Thread_local int request_done; /* what the request that was asked about is */
