#include "record/versioned_stat.hpp"

#include <sys/stat.h>

#include <cstring>

namespace refrain::record {
namespace {

/// On 64-bit systems there is but one.
#ifdef __x86_64__
constexpr int stat_version = 1;
#else
constexpr int stat_version = 0;
#endif

// Found before what calls them is handed out.
int (*xstat)(int, const char*, struct stat*);
int (*lxstat)(int, const char*, struct stat*);
int (*fxstat)(int, int, struct stat*);
int (*fxstatat)(int, int, const char*, struct stat*, int);
int (*xmknod)(int, const char*, mode_t, dev_t*);

int old_stat(const char* path, struct stat* buffer) { return xstat(stat_version, path, buffer); }
int old_lstat(const char* path, struct stat* buffer) { return lxstat(stat_version, path, buffer); }
int old_fstat(int fd, struct stat* buffer) { return fxstat(stat_version, fd, buffer); }
int old_fstatat(int dirfd, const char* path, struct stat* buffer, int flags) {
  return fxstatat(stat_version, dirfd, path, buffer, flags);
}
int old_mknod(const char* path, mode_t mode, dev_t device) { return xmknod(0, path, mode, &device); }

RF_NOTE_NAME(required, "__xstat")
RF_NOTE_NAME(required, "__lxstat")
RF_NOTE_NAME(required, "__fxstat")
RF_NOTE_NAME(required, "__fxstatat")
RF_NOTE_NAME(required, "__xmknod")

template <class Function, class Old>
FunctionAddress known_as(Function*& function, const char* symbol, Old* old) {
  auto* address = reinterpret_cast<Function*>(find_function(symbol));
  if (address == nullptr) return nullptr;
  __atomic_store_n(&function, address, __ATOMIC_RELEASE);
  return reinterpret_cast<FunctionAddress>(old);
}

}  // namespace

FunctionAddress find_versioned_stat(const char* name) {
  if (std::strcmp(name, "stat") == 0) return known_as(xstat, "__xstat", &old_stat);
  if (std::strcmp(name, "lstat") == 0) return known_as(lxstat, "__lxstat", &old_lstat);
  if (std::strcmp(name, "fstat") == 0) return known_as(fxstat, "__fxstat", &old_fstat);
  if (std::strcmp(name, "fstatat") == 0) return known_as(fxstatat, "__fxstatat", &old_fstatat);
  if (std::strcmp(name, "mknod") == 0) return known_as(xmknod, "__xmknod", &old_mknod);
  return nullptr;
}

}  // namespace refrain::record
