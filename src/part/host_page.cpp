#include "part/host_page.hpp"

#include <cstdio>
#include <cstring>

#include "base/hash.hpp"
#include "base/launcher.hpp"
#include "part/process_info.hpp"
#include "part/raw.hpp"

namespace refrain::record {
namespace {

constexpr size_t longest_path = 512;

uint64_t hash_of(uint64_t hash, const char* text) {
  for (; *text != 0; ++text) hash = hash_combine(hash, static_cast<unsigned char>(*text));
  return hash;
}

/// A negative errno if it can't be read.
int read_page(const char* path, PlainPage& page) {
  int fd = raw::open(path, O_RDONLY);
  if (fd < 0) return fd;
  long n = raw::pread(fd, &page, sizeof page, 0);
  raw::close(fd);
  if (n < 0) return static_cast<int>(n);
  return n == sizeof page && page.magic == session_magic ? 0 : -EINVAL;
}

/// Appears whole, with real blocks, whoever of this host's processes is the first.
int make_page(const char* path) {
  char fresh[longest_path + 32];
  std::snprintf(fresh, sizeof fresh, "%s.%u", path, raw::pid());
  int fd = raw::open(fresh, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd < 0) return fd;
  alignas(PlainPage) uint8_t bytes[header_bytes] = {};
  PlainPage page{};
  page.magic = session_magic;
  page.host = host_number();
  std::memcpy(bytes, &page, sizeof page);
  long n = raw::pwrite(fd, bytes, sizeof bytes, 0);
  raw::close(fd);
  long error = n == sizeof bytes ? raw::call(SYS_linkat, AT_FDCWD, fresh, AT_FDCWD, path, 0)
               : n < 0           ? n
                                 : -ENOSPC;
  raw::unlink(fresh);
  return error == -EEXIST ? 0 : static_cast<int>(error);
}

}  // namespace

uint64_t host_number() {
  char boot[64] = {};
  int fd = raw::open("/proc/sys/kernel/random/boot_id", O_RDONLY);
  if (fd >= 0) {
    raw::pread(fd, boot, sizeof boot - 1, 0);
    raw::close(fd);
  }
  uint64_t number = hash_of(hash_of(2, host_name()), boot);
  return number == 0 ? 1 : number;
}

HostPage map_host_page(const char* folder) {
  char path[longest_path];
  if (std::strlen(folder) + 64 > sizeof path) return {.error = ENAMETOOLONG};
  std::snprintf(path, sizeof path, "%s/session", folder);
  PlainPage session;
  if (int error = read_page(path, session)) return {.error = -error};
  bool home = session.host == host_number();
  if (!home) {
    std::snprintf(path, sizeof path, "%s/host-%016llx.page", folder,
                  static_cast<unsigned long long>(host_number()));
    PlainPage own;
    if (int error = read_page(path, own); error == -ENOENT) {
      if (error = make_page(path); error != 0) return {.error = -error};
    } else if (error != 0) {
      return {.error = -error};
    }
  }
  int fd = raw::open(path, O_RDWR);
  if (fd < 0) return {.error = -fd};
  auto* page = static_cast<SessionPage*>(raw::map(header_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  raw::close(fd);
  return {.page = page, .home = home, .error = page == nullptr ? ENOMEM : 0};
}

void say_folder_is_missing(const char* folder) {
  Launched here = launched();
  bool first = here.local_rank == 0 || (here.local_rank < 0 && here.rank == 0);
  if (!first || !parent_is_launcher()) return;
  char line[longest_path + 160];
  std::snprintf(line, sizeof line, "refrain: host %s has no %s: its ranks are not recorded\n", host_name(),
                folder);
  raw::call(SYS_write, 2, line, std::strlen(line));
}

}  // namespace refrain::record
