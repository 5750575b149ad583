// The hooks of layer posix: those that follow from their rows, and the few entries written by hand because
// their prototypes differ from their rows (variadic functions, checked and versioned variants of glibc).
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <utime.h>

#include "record/hooks.hpp"
#include "record/intercept.hpp"

namespace refrain::record {
namespace {

constexpr mode_t no_mode = ~mode_t{0};

bool takes_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

}  // namespace

#define API(layer, name, ...) RF_PLAIN_HOOK(layer, name, __VA_ARGS__)
#include "api/posix/rows.def"
#include "api/undefine_rows.def"

RF_REAL(open, int(const char*, int, ...))
RF_HOOK int hook_open(const char* path, int flags, ...) RF_SYMBOL(open);
int hook_open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : no_mode;
  va_end(rest);
  return intercept<RowId::posix_open>([](const char* p, int f, mode_t m) { return real_open()(p, f, m); },
                                      RF_SITE, RF_FRAME, path, flags, mode);
}

RF_REAL(openat, int(int, const char*, int, ...))
RF_HOOK int hook_openat(int dirfd, const char* path, int flags, ...) RF_SYMBOL(openat);
int hook_openat(int dirfd, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : no_mode;
  va_end(rest);
  return intercept<RowId::posix_openat>(
      [](int d, const char* p, int f, mode_t m) { return real_openat()(d, p, f, m); }, RF_SITE, RF_FRAME,
      dirfd, path, flags, mode);
}

// The checked forms refuse O_CREAT without a mode; glibc's own do that.
#define RF_CHECKED_OPEN(symbol)                                                                             \
  RF_REAL(symbol, int(const char*, int))                                                                    \
  RF_HOOK int hook_##symbol(const char* path, int flags) RF_SYMBOL(symbol);                                 \
  int hook_##symbol(const char* path, int flags) {                                                          \
    return intercept<RowId::posix_open>([](const char* p, int f, mode_t) { return real_##symbol()(p, f); }, \
                                        RF_SITE, RF_FRAME, path, flags, no_mode);                           \
  }
RF_CHECKED_OPEN(__open_2)
RF_CHECKED_OPEN(__open64_2)
#define RF_CHECKED_OPENAT(symbol)                                                                        \
  RF_REAL(symbol, int(int, const char*, int))                                                            \
  RF_HOOK int hook_##symbol(int dirfd, const char* path, int flags) RF_SYMBOL(symbol);                   \
  int hook_##symbol(int dirfd, const char* path, int flags) {                                            \
    return intercept<RowId::posix_openat>(                                                               \
        [](int d, const char* p, int f, mode_t) { return real_##symbol()(d, p, f); }, RF_SITE, RF_FRAME, \
        dirfd, path, flags, no_mode);                                                                    \
  }
RF_CHECKED_OPENAT(__openat_2)
RF_CHECKED_OPENAT(__openat64_2)

RF_REAL(close_range, int(unsigned, unsigned, int))
RF_REAL(closefrom, void(int))

namespace {

/// Closes what is the application's own, by a kernel's function if it has one.
int close_own_range(unsigned first, unsigned last, int flags) {
  auto* instead = replaced.close_range.load(std::memory_order_relaxed);
  auto* close = instead != nullptr ? instead : real_close_range();
  for (int ours; (ours = next_own_descriptor(first)) >= 0 && static_cast<unsigned>(ours) <= last;) {
    auto between = static_cast<unsigned>(ours);
    if (between > first)
      if (int result = close(first, between - 1, flags)) return result;
    if (between == last) return 0;
    first = between + 1;
  }
  return close(first, last, flags);
}

void close_own_from(int first) {
  auto* instead = replaced.closefrom.load(std::memory_order_relaxed);
  unsigned lowest = first < 0 ? 0 : static_cast<unsigned>(first);
  if (next_own_descriptor(lowest) < 0 || close_own_range(lowest, ~0u, 0) != 0)
    (instead != nullptr ? instead : real_closefrom())(first);
}

}  // namespace

RF_HOOK int hook_close_range(unsigned first, unsigned last, int flags) RF_SYMBOL(close_range);
int hook_close_range(unsigned first, unsigned last, int flags) {
  int result = intercept<RowId::posix_close_range>(close_own_range, RF_SITE, RF_FRAME, first, last, flags);
  if (result == 0 && (flags & 4 /* CLOSE_RANGE_CLOEXEC */) == 0) forget_range(first, last, RF_FRAME);
  return result;
}

RF_HOOK void hook_closefrom(int first) RF_SYMBOL(closefrom);
void hook_closefrom(int first) {
  intercept<RowId::posix_closefrom>(close_own_from, RF_SITE, RF_FRAME, first);
  forget_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0u, RF_FRAME);
}

RF_REAL(fcntl, int(int, int, ...))
RF_HOOK int hook_fcntl(int fd, int command, ...) RF_SYMBOL(fcntl);
int hook_fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  return intercept<RowId::posix_fcntl>([](int f, int c, long a) { return real_fcntl()(f, c, a); }, RF_SITE,
                                       RF_FRAME, fd, command, argument);
}

RF_REAL(ioctl, int(int, unsigned long, ...))
RF_HOOK int hook_ioctl(int fd, unsigned long request, ...) RF_SYMBOL(ioctl);
int hook_ioctl(int fd, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return intercept<RowId::posix_ioctl>([](int f, unsigned long r, void* a) { return real_ioctl()(f, r, a); },
                                       RF_SITE, RF_FRAME, fd, request, argument);
}

#include "record/posix_by_hand.hpp"

RF_CHECKED(__readlink_chk, readlink, ssize_t, (const char* path, char* buffer, size_t count, size_t room),
           (path, buffer, count))
RF_CHECKED(__readlinkat_chk, readlinkat, ssize_t,
           (int dirfd, const char* path, char* buffer, size_t count, size_t room),
           (dirfd, path, buffer, count))

// Programs built against an old glibc ask for a version of struct stat; on 64-bit systems there is but one.
#define RF_VERSIONED(symbol, function, declarations, names)                                            \
  RF_HOOK int hook_##symbol declarations RF_SYMBOL(symbol);                                            \
  int hook_##symbol declarations {                                                                     \
    return intercept<RowId::posix_##function>(real_##function(), RF_SITE, RF_FRAME, RF_EXPAND1 names); \
  }
RF_VERSIONED(__xstat, stat, (int, const char* path, struct stat* buffer), (path, buffer))
RF_VERSIONED(__xstat64, stat, (int, const char* path, struct stat* buffer), (path, buffer))
RF_VERSIONED(__lxstat, lstat, (int, const char* path, struct stat* buffer), (path, buffer))
RF_VERSIONED(__lxstat64, lstat, (int, const char* path, struct stat* buffer), (path, buffer))
RF_VERSIONED(__fxstat, fstat, (int, int fd, struct stat* buffer), (fd, buffer))
RF_VERSIONED(__fxstat64, fstat, (int, int fd, struct stat* buffer), (fd, buffer))
RF_VERSIONED(__fxstatat, fstatat, (int, int dirfd, const char* path, struct stat* buffer, int flags),
             (dirfd, path, buffer, flags))
RF_VERSIONED(__fxstatat64, fstatat, (int, int dirfd, const char* path, struct stat* buffer, int flags),
             (dirfd, path, buffer, flags))
RF_VERSIONED(__xmknod, mknod, (int, const char* path, mode_t mode, dev_t* device), (path, mode, *device))

// Functions that make up a name and no file. How they do it doesn't matter: the event is what they made.
#define RF_NAMING(symbol, declarations, names)                                                  \
  RF_REAL(symbol, char* declarations)                                                           \
  RF_HOOK char* hook_##symbol declarations RF_SYMBOL(symbol);                                   \
  char* hook_##symbol declarations {                                                            \
    char* made = real_##symbol() names;                                                         \
    if (made != nullptr && *made != 0)                                                          \
      intercept<RowId::posix_mktemp>([](char* name) { return name; }, RF_SITE, RF_FRAME, made); \
    return made;                                                                                \
  }
RF_NAMING(mktemp, (char* path), (path))
RF_NAMING(tempnam, (const char* folder, const char* prefix), (folder, prefix))
RF_NAMING(tmpnam, (char* buffer), (buffer))
RF_NAMING(tmpnam_r, (char* buffer), (buffer))

RF_REAL(aio_fsync, int(int, struct aiocb*))
RF_HOOK int hook_aio_fsync(int operation, struct aiocb* request) RF_SYMBOL(aio_fsync);
int hook_aio_fsync(int operation, struct aiocb* request) {
  return intercept<RowId::posix_aio_fsync>([](int o, struct aiocb* r, int) { return real_aio_fsync()(o, r); },
                                           RF_SITE, RF_FRAME, operation, request, request->aio_fildes);
}

#define API_ALIAS(layer, symbol, function) RF_ALIAS_HOOK(symbol, function)
#include "api/posix/rows.def"
#include "api/undefine_rows.def"

namespace real {
int dirfd(DIR* folder) { return real_dirfd()(folder); }
}  // namespace real

/// Finds the functions behind the hooks ahead of their first use, which may be in a signal handler.
void find_posix_functions() {
#define API(layer, name, ...) (void)real_##name();
#include "api/posix/rows.def"
#include "api/undefine_rows.def"
  (void)real_open(), (void)real_openat(), (void)real_fcntl(), (void)real_ioctl();
}

}  // namespace refrain::record
