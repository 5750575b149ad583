// See root.hpp. What is done here is done by system calls of its own, past the recorder: it is not the
// application's.
#include "replay/root.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "replay/replay_error.hpp"
#include "trace/path_image.hpp"
#include "trace/text.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

constexpr size_t longest_path = 2 * PATH_MAX;

/// Makes a folder and its parents. Returns the result for the last one.
long make_folders(int at, const std::string& folder) {
  auto make = [at](const std::string& path) { return syscall(SYS_mkdirat, at, path.c_str(), 0777); };
  for (size_t slash = folder.find('/', 1); slash != std::string::npos; slash = folder.find('/', slash + 1))
    make(folder.substr(0, slash));
  return make(folder);
}

[[noreturn]] void refuse(std::string_view path, const char* reason) {
  throw ReplayError{fmt::format("{} {}", trace::quoted(path), reason)};
}

}  // namespace

Result<Root> Root::enter(const std::string& folder) {
  Root root;
  auto failed = [&] { return fail(ErrorKind::io, strerror(errno), folder); };
  if (make_folders(AT_FDCWD, folder) != 0 && errno != EEXIST) return failed();
  if (syscall(SYS_chdir, folder.c_str()) != 0 || refrain_wall_begin() != 0) return failed();
  root.folder_ = refrain_wall_folder();
  if (root.folder_.empty()) root.folder_ = "/";
  setenv("PWD", root.folder_.c_str(), 1);  // Open MPI looks there first
  return root;
}

Result<Root> Root::join(const std::string& folder) {
  auto here = static_cast<int>(syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  Result<Root> root = enter(folder);
  if (root && (here < 0 || syscall(SYS_fchdir, here) != 0))
    return fail(ErrorKind::io, strerror(errno), folder);
  if (here >= 0) syscall(SYS_close, here);
  if (root) root->moves_ = true;
  refrain_wall_moves();
  refrain_wall_share();
  return root;
}

std::string Root::place(std::string_view path, const Use& use) const {
  std::string text(path), below;
  if (text.starts_with('/')) below = "/" + trace::path_image(text, folder_);
  char image[longest_path];
  const char* reason = nullptr;
  const char* asked = below.empty() ? text.c_str() : below.c_str();
  std::string placed = refrain_wall_place(use.at, asked, use.follow, image, sizeof image, &reason);
  if (reason != nullptr) refuse(placed, reason);
  thread_local std::string known;  // the folder below which the last path was
  size_t slash = placed.rfind('/', placed.find_last_not_of('/'));
  if (!use.make_above || slash == std::string::npos || slash == 0) return placed;
  std::string above = placed.substr(0, slash);
  if (known == above && use.at == AT_FDCWD && !moves_) return placed;
  known = above;
  make_folders(use.at, above);
  return placed;
}

std::string Root::place_for_later(std::string_view path, bool is_folder) const {
  std::string image = trace::path_image(path, folder_);
  place(is_folder ? image + "/." : image, {.make_above = true});
  return image;
}

std::string Root::target(std::string_view target, int at, const std::string& path) const {
  std::string text(target);
  if (text.starts_with('/')) text = "/" + trace::path_image(text, folder_);
  char image[longest_path];
  return refrain_wall_target(at, path.c_str(), text.c_str(), image, sizeof image);
}

void Root::check_move(int from_at, const std::string& from, int to_at, const std::string& to) const {
  if (const char* reason = refrain_wall_move(from_at, from.c_str(), to_at, to.c_str())) refuse(to, reason);
}

void Root::moved() {
  moves_ = true;
  refrain_wall_moves();
  if (!refrain_wall_holds(AT_FDCWD)) throw ReplayError{"the folder that it goes to is outside the root"};
}

void Root::await(const std::string& image) const {
  wait_until([&] { return syscall(SYS_faccessat, AT_FDCWD, image.c_str(), F_OK) == 0; });
}

void Root::await_absence(const std::string& image) const {
  wait_until([&] { return syscall(SYS_faccessat, AT_FDCWD, image.c_str(), F_OK) != 0; }, 10'000);
}

void Root::await_moment(const std::string& image) const {
  timespec nap{0, 1'000'000};
  static std::atomic<int> vain{0};
  constexpr int most_ms = 500, often_enough = 3;
  for (int ms = 0; vain < often_enough && syscall(SYS_faccessat, AT_FDCWD, image.c_str(), F_OK) != 0; ++ms) {
    nanosleep(&nap, nullptr);
    if (ms < most_ms) continue;
    ++vain;
    return;
  }
}

void Root::await_end_of_writing(const std::string& image) const {
  timespec nap{0, 1'000'000};
  static std::atomic<int> vain{0};
  constexpr int most_ms = 10'000, often_enough = 3;
  struct sigaction ignored = {}, before = {};
  ignored.sa_handler = SIG_IGN;  // a lease that somebody breaks in that instant would send one
  sigaction(SIGIO, &ignored, &before);
  for (int ms = 0; vain < often_enough; ++ms) {
    auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, image.c_str(), O_RDONLY | O_CLOEXEC));
    bool busy = fd >= 0 && syscall(SYS_fcntl, fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    if (fd >= 0) syscall(SYS_close, fd);
    if (!busy) break;
    nanosleep(&nap, nullptr);
    if (ms < most_ms) continue;
    ++vain;
    break;
  }
  sigaction(SIGIO, &before, nullptr);
}

void Root::wait_until(const std::function<bool()>& done, int most_ms) const {
  timespec nap{0, 1'000'000};
  static std::atomic<bool> tired{false};  // who has waited in vain once won't again
  for (int ms = 0; !tired && !done(); ++ms) {
    nanosleep(&nap, nullptr);
    if (ms == most_ms) tired = true;
  }
}

}  // namespace refrain::replay
