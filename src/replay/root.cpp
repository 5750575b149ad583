// See root.hpp. The checks are made by system calls of their own, past the recorder: they are not the
// application's.
#include "replay/root.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "replay/trouble.hpp"
#include "trace/path_image.hpp"
#include "trace/text.hpp"

namespace refrain::replay {
namespace {

constexpr int patience_ms = 60'000;

/// With those above it. The result is that of the last one.
long make_folders(int at, const std::string& folder) {
  auto make = [at](const std::string& path) { return syscall(SYS_mkdirat, at, path.c_str(), 0777); };
  for (size_t slash = folder.find('/', 1); slash != std::string::npos; slash = folder.find('/', slash + 1))
    make(folder.substr(0, slash));
  return make(folder);
}

}  // namespace

Result<Root> Root::enter(const std::string& folder) {
  Root root;
  auto failed = [&] { return fail(ErrorKind::io, strerror(errno), folder); };
  if (make_folders(AT_FDCWD, folder) != 0 && errno != EEXIST) return failed();
  root.descriptor_ =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root.descriptor_ < 0 || syscall(SYS_fchdir, root.descriptor_) != 0) return failed();
  // Out of the way of the descriptors that the trace counts on.
  long high = syscall(SYS_fcntl, root.descriptor_, F_DUPFD_CLOEXEC, 200);
  if (high >= 0) {
    syscall(SYS_close, root.descriptor_);
    root.descriptor_ = static_cast<int>(high);
  }
  char whole[PATH_MAX];
  root.folder_ = syscall(SYS_getcwd, whole, sizeof whole) > 0 ? whole : folder;
  setenv("PWD", root.folder_.c_str(), 1);  // Open MPI looks there first
  return root;
}

void Root::check(const std::string& image) const {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long found = syscall(SYS_openat2, descriptor_, image.c_str(), &how, sizeof how);
  if (found >= 0) {
    syscall(SYS_close, found);
    return;
  }
  if (errno == EXDEV || errno == ELOOP)
    throw Trouble{fmt::format("{} leads out of the folder of the replay", trace::quoted(image))};
  if (errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != ENAMETOOLONG)
    throw Trouble{fmt::format("whether {} stays in the folder of the replay can't be told: {}",
                              trace::quoted(image), strerror(errno))};
  // What isn't there yet can't lead out unless a folder above it does.
  size_t slash = image.rfind('/');
  if (errno == ENOENT && slash != std::string::npos) check(image.substr(0, slash));
}

void Root::moved() {
  char whole[PATH_MAX];
  std::string now = syscall(SYS_getcwd, whole, sizeof whole) > 0 ? whole : "";
  bool below = now == folder_ || now.starts_with(folder_ + "/");
  if (!below) throw Trouble{"the folder that it goes to is outside the folder of the replay"};
  current_ = now == folder_ ? "" : now.substr(folder_.size() + 1);
}

std::string Root::from_here(std::string_view path, const std::string& image) const {
  std::string up;
  for (size_t slash = 0; slash != std::string::npos; slash = current_.find('/', slash + 1)) up += "../";
  // As it is, if it doesn't climb above the root on its way: a folder at the top would show that.
  bool stays = trace::path_image("/top/" + current_ + "/" + std::string(path)) ==
               trace::path_image("/top/" + (image.empty() ? "." : image));
  return !path.starts_with('/') && stays ? std::string(path) : up + image;
}

void Root::await(const std::string& image) const {
  timespec nap{0, 1'000'000};
  static std::atomic<bool> tired{false};  // who has waited in vain once won't again
  for (int ms = 0; !tired && syscall(SYS_faccessat, AT_FDCWD, image.c_str(), F_OK) != 0; ++ms) {
    nanosleep(&nap, nullptr);
    if (ms == patience_ms) tired = true;
  }
}

std::string Root::place(std::string_view path, bool make_above) {
  bool is_relative = !path.starts_with('/') && !path.empty();
  std::string image = is_relative && !current_.empty()
                          ? trace::path_image("/" + current_ + "/" + std::string(path))
                          : trace::path_image(path, folder_);
  if (image.empty()) return path.empty() ? "" : ".";
  check(image);
  thread_local std::string known;  // the folder below which the last path was
  size_t slash = image.rfind('/', image.find_last_not_of('/'));
  if (make_above && slash != std::string::npos && known != image.substr(0, slash)) {
    known = image.substr(0, slash);
    make_folders(descriptor_, known);
  }
  return current_.empty() ? image : from_here(path, image);
}

}  // namespace refrain::replay
