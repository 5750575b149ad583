// System calls as the recorder makes them: straight to the kernel, so that they are neither recorded nor
// seen by anything else that interposes. They return what the kernel returns: a negative errno on failure.
#pragma once

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace refrain::record::raw {

/// The application restricts its own system calls (seccomp), and one that it doesn't expect may be its end.
/// From then on the recorder makes none: all of these fail.
inline std::atomic<bool> forbidden{false};

template <class... A>
inline long call(long number, A... arguments) {
  if (forbidden.load(std::memory_order_relaxed)) [[unlikely]]
    return -EPERM;
  long result = syscall(number, arguments...);
  return result == -1 ? -errno : result;
}

inline int open(const char* path, int flags, unsigned mode = 0) {
  return static_cast<int>(call(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode));
}
inline void close(int fd) { call(SYS_close, fd); }

/// What these have moved: the kernel counts it as the application's.
inline std::atomic<uint64_t> bytes_read{0}, bytes_written{0};
inline long counted(std::atomic<uint64_t>& sum, long moved) {
  if (moved > 0) sum.fetch_add(static_cast<uint64_t>(moved), std::memory_order_relaxed);
  return moved;
}
inline long pwrite(int fd, const void* data, size_t size, uint64_t offset) {
  return counted(bytes_written, call(SYS_pwrite64, fd, data, size, offset));
}
inline long pread(int fd, void* data, size_t size, uint64_t offset) {
  return counted(bytes_read, call(SYS_pread64, fd, data, size, offset));
}
inline long read(int fd, void* data, size_t size) {
  return counted(bytes_read, call(SYS_read, fd, data, size));
}
inline long fallocate(int fd, uint64_t offset, uint64_t size) {
  return call(SYS_fallocate, fd, 0, offset, size);
}
inline long readlink(const char* path, char* buffer, size_t size) {
  return call(SYS_readlinkat, AT_FDCWD, path, buffer, size);
}
inline long unlink(const char* path) { return call(SYS_unlinkat, AT_FDCWD, path, 0); }
inline long seek(int fd, long offset, int whence) { return call(SYS_lseek, fd, offset, whence); }
inline int get_flags(int fd) { return static_cast<int>(call(SYS_fcntl, fd, F_GETFL)); }
inline uint32_t pid() { return static_cast<uint32_t>(call(SYS_getpid)); }
inline uint32_t parent_pid() { return static_cast<uint32_t>(call(SYS_getppid)); }

inline long fstat(int fd, struct stat* out) {
#if defined(SYS_fstat)
  return call(SYS_fstat, fd, out);
#else
  return call(SYS_newfstatat, fd, "", out, AT_EMPTY_PATH);
#endif
}

/// nullptr on failure.
inline void* map(size_t size, int protection, int flags, int fd, uint64_t offset) {
  long result = call(SYS_mmap, nullptr, size, protection, flags, fd, offset);
  return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}
inline void* map_memory(size_t size) {
  return map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
inline void unmap(void* address, size_t size) { call(SYS_munmap, address, size); }
inline long advise(void* address, size_t size, int advice) {
  return call(SYS_madvise, address, size, advice);
}

}  // namespace refrain::record::raw

namespace refrain::record {

/// Restores errno on leaving a scope.
class KeepErrno {
 public:
  KeepErrno() : KeepErrno(&errno) {}
  /// `place` is where this thread's errno is.
  explicit KeepErrno(int* place) : place_(place), saved_(*place) {}
  ~KeepErrno() { *place_ = saved_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;
  int saved() const { return saved_; }

 private:
  int* place_;
  int saved_;
};

}  // namespace refrain::record
