/* The part of a kernel that is the same in all of them: making calls and checking them, buffers, options, the
 * summary. Made by refrain; only what this kernel needs is here. */
#ifndef REFRAIN_KERNEL_H
#define REFRAIN_KERNEL_H
#define _GNU_SOURCE
#include <aio.h>     // aiocb aio_* lio_*
#include <dirent.h>  // DIR dirfd *dir
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>  // io_uring_*
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>      // flock LOCK_*
#include <sys/ioctl.h>     // ioctl
#include <sys/mman.h>      // MAP_* PROT_* MS_* mmap munmap msync mremap madvise
#include <sys/sendfile.h>  // sendfile
#include <sys/stat.h>
#include <sys/statfs.h>   // statfs fstatfs
#include <sys/statvfs.h>  // statvfs fstatvfs
#include <sys/syscall.h>  // SYS_*
#include <sys/time.h>     // timeval utimes futimes lutimes futimesat
#include <sys/uio.h>      // iovec readv writev preadv* pwritev* process_vm_*
#include <sys/xattr.h>    // XATTR_* *xattr
#include <time.h>
#include <unistd.h>
#include <utime.h>  // utime utimbuf
#include <wchar.h>  // wchar_t wint_t fgetws fputws fgetwc fputwc getwc putwc ungetwc fwide

static long long rank, nprocs = 1; /* this process, and how many there are */

/* Where the kernel itself is being recorded, what is done between pause and resume is left out. */
extern void refrain_restart(const char* origin) __attribute__((weak));
extern void refrain_pause(void) __attribute__((weak));
extern void refrain_resume(void) __attribute__((weak));
static void (*restart_recorder)(const char*);
static void (*pause_recorder)(void);
static void (*resume_recorder)(void);
/* Weak references find a recorder that is linked in; one that is preloaded can't be seen by them where the
 * kernel is no position-independent executable, so it is looked up. */
static inline void look_up(const char* name, void* function) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found) memcpy(function, &found, sizeof found);
}
static inline void find_recorder(void) {
  restart_recorder = refrain_restart;
  pause_recorder = refrain_pause;
  resume_recorder = refrain_resume;
  if (pause_recorder) return;
  look_up("refrain_restart", &restart_recorder);
  look_up("refrain_pause", &pause_recorder);
  look_up("refrain_resume", &resume_recorder);
}
static inline void quiet(int on) {
  static _Thread_local int depth;
  depth += on ? 1 : -1;
  if (on && depth == 1 && pause_recorder) pause_recorder();
  if (!on && depth == 0 && resume_recorder) resume_recorder();
}

/* What was done so far, by layer. */
#define LAYER_NUMBER(name) name,
enum layer { LAYERS(LAYER_NUMBER) layers };
struct total {
  long long calls, read, written;
  double seconds;
};
static _Thread_local struct total totals[layers];
static _Thread_local long long to_read, to_write; /* bytes of the call that is being made */
static _Thread_local int failure_expected;        /* the recorded call failed, too */
static _Thread_local int race_allowed;            /* others may decide whether the call works */
static _Thread_local double began;
static _Thread_local long long expected; /* bytes that the recorded call brought */
static long long surprises;              /* calls that worked though the recorded ones failed */
static long long races; /* calls that ended otherwise than the recorded ones, as chance would have it */
/* Calls that brought less than the recorded ones, by how much, and the first of them. */
static long long short_reads, bytes_missing;
static const char* first_short = "";
static int output = 1, errors = 2;
static void (*at_start)(void);       /* before anything is done to files */
static void (*abandon)(void);        /* ends all processes */
static void (*note)(double seconds); /* takes note that this one is busy for so long */
/* Of one process among those of a tree. */
static _Thread_local void (*before_call)(void);
static const char* joined_root; /* others are at work below it already */
static void (*root_is_ready)(void);
static int (*handed_down)(int fd, const char* path, int flags); /* what a parent left open; -1: nothing */
static int (*summed_up_elsewhere)(void);                        /* adds what was done to what others did */
static long long crowd; /* processes that did what is summed up, if there are several */

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Time that the recorded program took between two calls: see --think. */
static double think_factor;
static const long long* think_ns;
static int think_calls;
static _Thread_local double think_due, last_end;
static _Thread_local long long thought_before; /* calls that only some ranks make, since the last of all */
static inline void think(int call) {
  if (think_factor <= 0 || call >= think_calls) return;
  long long ns = think_ns[call];
  if (ns < 0) { /* OWN */
    ns = -1 - ns;
    thought_before += ns;
  } else if (ns >= 1LL << 62) { /* UP_TO */
    ns = (ns ^ 1LL << 62) - thought_before;
    if (ns < 0) ns = 0;
    thought_before = 0;
  }
  think_due += (double)ns * think_factor * 1e-9;
  if (last_end > 0) think_due -= now() - last_end; /* what the program itself took */
  if (think_due < 20e-6) return;
  double start = now(), nap = think_due - 60e-6;
  if (nap > 0) {
    if (note) note(nap);
    struct timespec t = {(time_t)nap, (long)((nap - (double)(time_t)nap) * 1e9)};
    nanosleep(&t, NULL);
  }
  while (now() - start < think_due) {
  }
  think_due -= now() - start;
}

#define ADVICE "run with --prepare to make the input files that the program found\n"
static int inputs_left_out; /* the program found files, and --prepare was not given */
static inline void stop(const char* call, const char* reason) {
  quiet(1);
  dprintf(errors, KERNEL ": rank %lld: %s: %s\n", rank, call, reason);
  if (inputs_left_out && (strstr(reason, "o such file") || strcmp(reason, "HDF5 says no") == 0))
    dprintf(errors, KERNEL ": " ADVICE);
  if (abandon) abandon();
  exit(1);
}

static inline void begin(int call) {
  if (before_call) before_call();
  think(call);
  if (note) note(0);
  began = now();
}
/* Takes note of a call; true if it failed and should not have. */
static inline int ended(enum layer layer, int failed) {
  struct total* t = &totals[layer];
  last_end = now();
  t->seconds += last_end - began;
  t->calls++;
  if (!failed) {
    t->read += to_read;
    t->written += to_write;
    if (!race_allowed) surprises += failure_expected;
  }
  int wrong = failed && !failure_expected;
  int by_chance = race_allowed && failed != failure_expected;
  if (wrong && layer == posix && errno != ENOENT && errno != EEXIST) by_chance = 0;
  if (by_chance) wrong = __atomic_fetch_add(&races, 1, __ATOMIC_RELAXED) < 0;
  to_read = to_write = failure_expected = race_allowed = 0;
  return wrong;
}

static inline long long number(enum layer layer, long long result, const char* call) {
  if (ended(layer, result < 0)) stop(call, strerror(errno));
  return result;
}
static inline void expect(long long bytes) { expected = bytes; }
/* What the call brought beside what the recorded one did. */
static inline long long compared(long long result, const char* call) {
  long long missing = expected - (result > 0 ? result : 0);
  if (missing <= 0 || failure_expected) return result;
  if (__atomic_fetch_add(&short_reads, 1, __ATOMIC_RELAXED) == 0) first_short = call;
  __atomic_fetch_add(&bytes_missing, missing, __ATOMIC_RELAXED);
  return result;
}
static inline long long brought(enum layer layer, long long result, const char* call) {
  to_read = result > 0 ? result : 0;
  return number(layer, compared(result, call), call);
}
static inline long long moved(enum layer layer, long long result, const char* call) {
  to_write = result > 0 ? result : 0;
  return number(layer, result, call);
}
static inline void words_brought(enum layer layer, long long result, const char* call) {
  compared(result, call);
  (void)ended(layer, 0);
}
static inline void* pointer(enum layer layer, void* result, const char* call) {
  if (ended(layer, result == NULL || result == MAP_FAILED)) stop(call, strerror(errno));
  return result;
}
static inline void code(enum layer layer, int result, const char* call) {
  if (ended(layer, result != 0)) stop(call, strerror(result));
}

#define FAIL(call) (failure_expected = 1, call)
#define RACE(call) (race_allowed = 1, call)
#define START (begin(__COUNTER__))
#define POSIX(call) number(posix, (START, (long long)(call)), #call)
#define EXPECT(bytes) (expect(bytes), START)
#define POSIX_READ(bytes, call) brought(posix, (EXPECT(bytes), (long long)(call)), #call)
#define POSIX_WRITE(call) moved(posix, (START, (long long)(call)), #call)
#define POSIX_COPY(bytes, call) moved(posix, compared((EXPECT(bytes), (long long)(call)), #call), #call)
#define POSIX_RETURN(bytes, call) number(posix, compared((EXPECT(bytes), (long long)(call)), #call), #call)
#define POSIX_PTR(call) pointer(posix, (START, (void*)(call)), #call)
#define POSIX_CODE(call) code(posix, (START, (call)), #call)
#define POSIX_ANY(call) (START, (call) ? (void)0 : (void)0, (void)ended(posix, 0))
#define POSIX_VOID(call) (START, (call), (void)ended(posix, 0))
#define STDIO(call) number(stdio, (START, (long long)(call)), #call)
#define STDIO_READ(bytes, call) brought(stdio, (EXPECT(bytes), stdio_read(call)), #call)
#define STDIO_WRITE(call) moved(stdio, (START, (long long)(call)), #call)
#define STDIO_PTR(call) pointer(stdio, (START, (void*)(call)), #call)
#define STDIO_ANY(call) (START, (call) ? (void)0 : (void)0, (void)ended(stdio, 0))
#define STDIO_VOID(call) (START, (call), (void)ended(stdio, 0))
#define STDIO_ITEMS_READ(bytes, size, call) \
  brought(stdio, (EXPECT(bytes), (long long)(call) * (long long)(size)), #call)
#define STDIO_ITEMS_WRITE(size, call) moved(stdio, (START, (long long)(call) * (long long)(size)), #call)
#define STDIO_TEXT_READ(bytes, call) brought(stdio, (EXPECT(bytes), length(call)), #call)
#define STDIO_CHARACTER_READ(bytes, call) brought(stdio, (EXPECT(bytes), (int)(call) != EOF), #call)
#define STDIO_WORDS_READ(words, call) words_brought(stdio, (EXPECT(words), (long long)(call)), #call)
#define MPIIO_READ(bytes, call) mpi_brought((mpi_expect(bytes), START, (call)), #call)
#define MPIIO(call) mpi_code(mpiio, (START, (call)), #call)
#define MPI(call) mpi_code(mpi, (START, (call)), #call)
#define H5(call) h5_number((START, h5_begin(), (long long)(call)), #call)
#define H5_PTR(call) pointer(hdf5, (START, (void*)(call)), #call)
#define H5_ANY(call) (START, (call) ? (void)0 : (void)0, (void)ended(hdf5, 0))

static inline long long stdio_read(long long result) { return result < 0 ? 0 : result; }
static inline long long length(const char* text) { return text ? (long long)strlen(text) : 0; }

/* Memory for data. What was given out is never freed: calls that don't wait may still be using it. */
struct buffer {
  char* at;
  size_t size;
};
static int fill_zero;
static inline char* room(struct buffer* b, long long bytes, int filled) {
  size_t n = bytes > 0 ? (size_t)bytes : 0;
  if (n >= b->size) {
    size_t size = b->size ? b->size : 16384;
    while (size <= n) size *= 2;
    b->at = aligned_alloc(4096, size);
    if (!b->at) stop("memory for data", strerror(ENOMEM));
    b->size = size;
    for (size_t i = 0; i < size; ++i) b->at[i] = (char)(filled && !fill_zero ? 'a' + i % 23 : 0);
  }
  return b->at;
}
static inline void* in(long long bytes) {
  static _Thread_local struct buffer b;
  return room(&b, bytes, 0);
}
static inline void* out(long long bytes) {
  static _Thread_local struct buffer b;
  return room(&b, bytes, 1);
}
/* For what calls tell, and nobody looks at; good until eight others have been asked for. */
static inline void* scratch(long long bytes) {
  static _Thread_local struct buffer b[8];
  static _Thread_local unsigned next;
  return room(&b[next++ % 8], bytes, 0);
}
