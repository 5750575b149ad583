// Processes that give up what the recorder needs: their way to the folder of parts (chroot), the right to
// enter it (setuid and its relatives), or system calls (seccomp). Each is prepared for before it happens.
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "part/kept_folder.hpp"
#include "record/kernel_count.hpp"
#include "record/look.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"
#include "record/thread_numbers.hpp"

namespace refrain::record {
namespace {

void before_chroot() {
  KeepErrno keep;
  notice_fork();
  if (recording()) keep_folder(parts_folder());
}

/// `user` is -1 where it stays as it is.
void before_other_user(uid_t user) {
  KeepErrno keep;
  notice_fork();
  if (!recording() || user == 0 || user == static_cast<uid_t>(-1) || raw::call(SYS_geteuid) != 0) return;
  keep_folder(parts_folder());
  open_folder_to_users(parts_folder());
  for (uint32_t n = 0; n < max_threads; ++n)
    if (Lane* lane = lane_number(n); lane != nullptr && lane->recording()) give_file(lane->part_path(), user);
}

/// How many filters restrict this process.
uint64_t filters() {
  char text[4096];
  int fd = raw::open("/proc/self/status", O_RDONLY);
  if (fd < 0) return 0;
  long n = raw::read(fd, text, sizeof text - 1);
  raw::close(fd);
  text[n > 0 ? n : 0] = 0;
  // Kernels before 5.9 say only whether there are any.
  for (const char* name : {"\nSeccomp_filters:", "\nSeccomp:"})
    if (const char* found = std::strstr(text, name))
      return std::strtoull(found + std::strlen(name), nullptr, 10);
  return 0;
}

/// What is open is looked at while that is possible.
void look_at_all(Lane& lane) {
  constexpr int usual_limit = 1024;
  for (int fd = 0; fd < usual_limit; ++fd) look_at_fd(lane, fd);
  for (FILE* stream : {stdin, stdout, stderr}) look_at_stream(lane, stream);
}

/// System calls are about to be restricted; from here on the recorder makes none. Undone if they aren't.
class Restriction {
 public:
  explicit Restriction(const char* frame) {
    if (raw::forbidden.load(std::memory_order_relaxed)) return;
    KeepErrno keep;
    Lane* lane = enter(frame);
    if (!recording()) return;
    if (lane != nullptr) {
      look_at_all(*lane);
      Busy busy(*lane, frame);
      lane->settle();
    }
    if (SessionPage* page = session_page()) {
      uint64_t fewest = 0;
      page->filtered_at.compare_exchange_strong(fewest, filters() + 1, std::memory_order_relaxed);
    }
    begun_ = true;
    raw::forbidden.store(true, std::memory_order_relaxed);
  }
  void happened(bool really) {
    if (begun_ && !really) raw::forbidden.store(false, std::memory_order_relaxed);
  }
  /// Reading the processor's counter is the thread's end from now on: its calls can only be counted.
  void stop_clock() {
    if (Lane* lane = begun_ ? current_lane : nullptr) lane->flags = lane->flags | Lane::clockless;
  }

 private:
  bool begun_ = false;
};

}  // namespace

bool is_restricted(uint64_t filtered_at) { return filtered_at != 0 && filters() >= filtered_at; }

RF_REAL(chroot, int(const char*))
RF_HOOK int hook_chroot(const char* path) RF_SYMBOL(chroot);
int hook_chroot(const char* path) {
  before_chroot();
  NamesChange change;
  return real_chroot()(path);
}

// The user that files are made as is the effective one.
#define RF_USER(name, declarations, names, user)        \
  RF_REAL(name, int declarations)                       \
  RF_HOOK int hook_##name declarations RF_SYMBOL(name); \
  int hook_##name declarations {                        \
    before_other_user(user);                            \
    return real_##name() names;                         \
  }
RF_USER(setuid, (uid_t user), (user), user)
RF_USER(seteuid, (uid_t user), (user), user)
RF_USER(setfsuid, (uid_t user), (user), user)
RF_USER(setreuid, (uid_t own, uid_t effective), (own, effective), effective)
RF_USER(setresuid, (uid_t own, uid_t effective, uid_t saved), (own, effective, saved), effective)

RF_REAL(prctl, int(int, ...))
RF_HOOK int hook_prctl(int option, ...) RF_SYMBOL(prctl);
int hook_prctl(int option, ...) {
  va_list rest;
  va_start(rest, option);
  unsigned long a = va_arg(rest, unsigned long), b = va_arg(rest, unsigned long);
  unsigned long c = va_arg(rest, unsigned long), d = va_arg(rest, unsigned long);
  va_end(rest);
  if (option != PR_SET_SECCOMP) return real_prctl()(option, a, b, c, d);
  Restriction restriction(RF_FRAME);
  int result = real_prctl()(option, a, b, c, d);
  restriction.happened(result == 0);
  if (result == 0 && a == SECCOMP_MODE_STRICT) restriction.stop_clock();
  return result;
}

RF_REAL(syscall, long(long, ...))
RF_HOOK long hook_syscall(long number, ...) RF_SYMBOL(syscall);
long hook_syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  bool restricts = number == SYS_seccomp && (a == SECCOMP_SET_MODE_STRICT || a == SECCOMP_SET_MODE_FILTER);
  if (number == SYS_io_uring_setup) note_own_ring();
  if (!restricts) return real_syscall()(number, a, b, c, d, e, f);
  Restriction restriction(RF_FRAME);
  long result = real_syscall()(number, a, b, c, d, e, f);
  restriction.happened(result >= 0);
  if (result >= 0 && a == SECCOMP_SET_MODE_STRICT) restriction.stop_clock();
  return result;
}

void find_confinement_functions() {
  (void)real_prctl();
  (void)real_syscall();
}

}  // namespace refrain::record
