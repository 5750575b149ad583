// See kept_folder.hpp.
#include "part/kept_folder.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "part/raw.hpp"

namespace refrain::record {
namespace {

std::atomic<int> kept_descriptor{-1};
std::atomic<uint64_t> kept_device{0}, kept_inode{0};

bool still_ours(int fd) {
  struct stat info;
  return fd >= 0 && raw::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_dev == kept_device.load(std::memory_order_relaxed) &&
         info.st_ino == kept_inode.load(std::memory_order_relaxed);
}

/// A number that no application gets by chance, and that costs the kernel no large table.
int high_number() {
  constexpr uint64_t usual_limit = 1024, below = 16;
  struct rlimit limit {};
  if (raw::call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) != 0) return 0;
  uint64_t end = std::min<uint64_t>(limit.rlim_cur, usual_limit);
  return end > below ? static_cast<int>(end - below) : 0;
}

}  // namespace

int open_in_folder(const char* path, int flags, unsigned mode) {
  int folder = kept_descriptor.load(std::memory_order_acquire);
  if (folder < 0 || !still_ours(folder)) return raw::open(path, flags, mode);
  const char* slash = std::strrchr(path, '/');
  const char* name = slash == nullptr ? path : slash + 1;
  return static_cast<int>(raw::call(SYS_openat, folder, name, flags | O_CLOEXEC, mode));
}

int high_copy(int fd) {
  has_high_copies.store(true, std::memory_order_release);
  return static_cast<int>(raw::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, high_number()));
}

void keep_folder(const char* folder) {
  if (still_ours(kept_descriptor.load(std::memory_order_acquire))) return;
  int fd = raw::open(folder, O_PATH | O_DIRECTORY);
  if (fd < 0) return;
  struct stat info;
  int high = high_copy(fd);
  raw::close(fd);
  if (high < 0 || raw::fstat(high, &info) != 0) return;
  kept_device.store(info.st_dev, std::memory_order_relaxed);
  kept_inode.store(info.st_ino, std::memory_order_relaxed);
  kept_descriptor.store(high, std::memory_order_release);
}

int kept_folder() {
  int fd = kept_descriptor.load(std::memory_order_acquire);
  if (fd < 0) [[likely]]
    return -1;
  KeepErrno keep;
  return still_ours(fd) ? fd : -1;
}

void open_folder_to_users(const char* folder) { raw::call(SYS_fchmodat, AT_FDCWD, folder, 01733); }

void give_file(const char* path, uid_t user) {
  raw::call(SYS_fchownat, AT_FDCWD, path, user, static_cast<gid_t>(-1), AT_SYMLINK_NOFOLLOW);
}

}  // namespace refrain::record
