// What happens to processes and descriptors around the recorded calls: load and exit, exec, vfork, jumps out
// of running calls, and functions that make descriptors we don't record, whose numbers may have belonged to
// files before.
#include <alloca.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "part/program_file.hpp"
#include "record/child_environment.hpp"
#include "record/look.hpp"
#include "record/process_end.hpp"
#include "record/process_marks.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"

extern char** environ;

namespace refrain::record {

void find_posix_functions();
void find_stdio_functions();
void find_signal_functions();
void find_confinement_functions();
void find_mapping_functions();

namespace {

__attribute__((constructor)) void on_load() {
  KeepErrno keep;
  find_posix_functions();
  find_stdio_functions();
  find_signal_functions();
  find_confinement_functions();
  find_mapping_functions();
  start();
}

__attribute__((destructor)) void on_exit() { at_exit(); }

/// A descriptor that some other call made: whatever had the number is gone. It is looked at when it is used,
/// or, if that may not be, taken for what these calls make: no file.
int made_elsewhere(int fd, const char* frame) {
  if (fd < 0 || enter(frame) == nullptr) return fd;
  forget_fd(fd);
  if (raw::forbidden.load(std::memory_order_relaxed)) shared.descriptors.set(fd, Handle::ignored());
  return fd;
}

}  // namespace

void forget_range(unsigned first, unsigned last, const char* frame) {
  if (enter(frame) != nullptr) forget_fds(first, last);
}

#define RF_MAKES_FD(name, declarations, names)          \
  RF_REAL(name, int declarations)                       \
  RF_HOOK int hook_##name declarations RF_SYMBOL(name); \
  int hook_##name declarations { return made_elsewhere(real_##name() names, RF_FRAME); }
RF_MAKES_FD(socket, (int domain, int type, int protocol), (domain, type, protocol))
RF_MAKES_FD(accept, (int fd, struct sockaddr* address, socklen_t* length), (fd, address, length))
RF_MAKES_FD(accept4, (int fd, struct sockaddr* address, socklen_t* length, int flags),
            (fd, address, length, flags))
RF_MAKES_FD(epoll_create, (int size), (size))
RF_MAKES_FD(epoll_create1, (int flags), (flags))
RF_MAKES_FD(eventfd, (unsigned initial, int flags), (initial, flags))
RF_MAKES_FD(timerfd_create, (int clock, int flags), (clock, flags))
RF_MAKES_FD(inotify_init, (), ())
RF_MAKES_FD(inotify_init1, (int flags), (flags))
RF_MAKES_FD(memfd_create, (const char* name, unsigned flags), (name, flags))

#define RF_MAKES_PAIR(name, declarations, names, pair)  \
  RF_REAL(name, int declarations)                       \
  RF_HOOK int hook_##name declarations RF_SYMBOL(name); \
  int hook_##name declarations {                        \
    int result = real_##name() names;                   \
    if (result == 0) {                                  \
      made_elsewhere(pair[0], RF_FRAME);                \
      made_elsewhere(pair[1], RF_FRAME);                \
    }                                                   \
    return result;                                      \
  }
RF_MAKES_PAIR(pipe, (int* ends), (ends), ends)
RF_MAKES_PAIR(pipe2, (int* ends, int flags), (ends, flags), ends)
RF_MAKES_PAIR(socketpair, (int domain, int type, int protocol, int* ends), (domain, type, protocol, ends),
              ends)

namespace {

/// The path of a program that is looked for in PATH, or nullptr.
class FoundProgram {
 public:
  explicit FoundProgram(const char* name) {
    KeepErrno keep;
    found_ = name != nullptr && recorder_is_on() && find_program(name, path_, sizeof path_);
  }
  const char* path() const { return found_ ? path_ : nullptr; }

 private:
  char path_[1024];
  bool found_ = false;
};

}  // namespace

// Declares `passed`, the environment for the program at `path`.
#define RF_ENVIRONMENT(path, given)       \
  ChildEnvironment child_of(path, given); \
  char* const* passed = child_of.room() == 0 ? (given) : child_of.make(alloca(child_of.room()));

// A process that becomes another program leaves its part complete.
#define RF_BECOME(call)                                                      \
  bool ours = enter(RF_FRAME) != nullptr;                                    \
  if (ours) before_exec();                                                   \
  if (!ours && recorder_is_on() && runs_in_parents_memory()) note_vforked(); \
  forget_vfork();                                                            \
  int result = call;                                                         \
  if (ours) after_failed_exec();                                             \
  return result;

#define RF_EXEC(name, declarations, path, environment, call) \
  RF_HOOK int hook_##name declarations RF_SYMBOL(name);      \
  int hook_##name declarations {                             \
    RF_ENVIRONMENT(path, environment)                        \
    RF_BECOME(call)                                          \
  }
RF_REAL(execve, int(const char*, char* const*, char* const*))
RF_REAL(execvpe, int(const char*, char* const*, char* const*))
RF_REAL(fexecve, int(int, char* const*, char* const*))
RF_REAL(execveat, int(int, const char*, char* const*, char* const*, int))
RF_EXEC(execve, (const char* path, char* const* words, char* const* given), path, given,
        real_execve()(path, words, passed))
RF_EXEC(execv, (const char* path, char* const* words), path, environ, real_execve()(path, words, passed))
RF_EXEC(execvp, (const char* file, char* const* words), FoundProgram(file).path(), environ,
        real_execvpe()(file, words, passed))
RF_EXEC(execvpe, (const char* file, char* const* words, char* const* given), FoundProgram(file).path(), given,
        real_execvpe()(file, words, passed))
RF_EXEC(fexecve, (int fd, char* const* words, char* const* given), nullptr, given,
        real_fexecve()(fd, words, passed))
RF_EXEC(execveat, (int dirfd, const char* path, char* const* words, char* const* given, int flags), nullptr,
        given, real_execveat()(dirfd, path, words, passed, flags))

#define RF_SPAWN(name, path)                                                                           \
  RF_REAL(name, int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,  \
                    char* const*, char* const*))                                                       \
  RF_HOOK int hook_##name(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,     \
                          const posix_spawnattr_t* attributes, char* const* words, char* const* given) \
      RF_SYMBOL(name);                                                                                 \
  int hook_##name(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,             \
                  const posix_spawnattr_t* attributes, char* const* words, char* const* given) {       \
    RF_ENVIRONMENT(path, given)                                                                        \
    pid_t own = 0;                                                                                     \
    int error = real_##name()(&own, file, actions, attributes, words, passed);                         \
    if (error == 0 && pid != nullptr) *pid = own;                                                      \
    if (error == 0) note_started(own, RF_FRAME);                                                       \
    return error;                                                                                      \
  }
RF_SPAWN(posix_spawn, file)
RF_SPAWN(posix_spawnp, FoundProgram(file).path())

RF_REAL(system, int(const char*))
RF_HOOK int hook_system(const char* command) RF_SYMBOL(system);
int hook_system(const char* command) {
  if (command == nullptr) return real_system()(command);
  check_own_environment();
  note_unnamed(false, 0, ticks(), RF_FRAME);
  int status = real_system()(command);
  note_unnamed(true, 0, ticks(), RF_FRAME);
  return status;
}

namespace {

uint32_t tag_of(const FILE* stream) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(stream) >> 4) | 1;
}

}  // namespace

RF_REAL(popen, FILE*(const char*, const char*))
RF_HOOK FILE* hook_popen(const char* command, const char* mode) RF_SYMBOL(popen);
FILE* hook_popen(const char* command, const char* mode) {
  check_own_environment();
  uint64_t begun = ticks();
  FILE* stream = real_popen()(command, mode);
  if (stream != nullptr) note_unnamed(false, tag_of(stream), begun, RF_FRAME);
  return stream;
}

// A process that ends at once has not called on_exit.
#define RF_QUICK_EXIT(name)                                                       \
  RF_REAL(name, void(int))                                                        \
  RF_HOOK __attribute__((noreturn)) void hook_##name(int status) RF_SYMBOL(name); \
  void hook_##name(int status) {                                                  \
    at_quick_exit();                                                              \
    real_##name()(status);                                                        \
    __builtin_unreachable();                                                      \
  }
RF_QUICK_EXIT(_exit)
RF_QUICK_EXIT(_Exit)

// A jump leaves the calls behind that were running on this thread.
#define RF_JUMP(name)                                                                                      \
  RF_REAL(name, void(struct __jmp_buf_tag*, int))                                                          \
  RF_HOOK __attribute__((noreturn)) void hook_##name(struct __jmp_buf_tag* to, int value) RF_SYMBOL(name); \
  void hook_##name(struct __jmp_buf_tag* to, int value) {                                                  \
    leave_by_jump();                                                                                       \
    real_##name()(to, value);                                                                              \
    __builtin_unreachable();                                                                               \
  }
RF_JUMP(longjmp)
RF_JUMP(_longjmp)
RF_JUMP(siglongjmp)
RF_JUMP(__longjmp_chk)

RF_REAL(pclose, int(FILE*))
RF_HOOK int hook_pclose(FILE* stream) RF_SYMBOL(pclose);
int hook_pclose(FILE* stream) {
  uint32_t tag = tag_of(stream);
  if (Lane* lane = stream == nullptr ? nullptr : enter(RF_FRAME); lane != nullptr) {
    if (Handle pipe = shared.addresses.get(stream); is_pipe(pipe)) note_pipe_closed(*lane, pipe);
    forget_fd(descriptor_of(stream));
    forget_address(stream);
  }
  int status = real_pclose()(stream);
  if (stream != nullptr && status != -1) note_unnamed(true, tag, ticks(), RF_FRAME);
  return status;
}

// Processes that it starts and waits for.
RF_REAL(fork, pid_t())
RF_HOOK pid_t hook_fork() RF_SYMBOL(fork);
pid_t hook_fork() {
  pid_t pid = real_fork()();
  if (pid > 0) note_started(pid, RF_FRAME);
  return pid;
}

#define RF_WAIT(name, declarations, names)                \
  RF_REAL(name, pid_t declarations)                       \
  RF_HOOK pid_t hook_##name declarations RF_SYMBOL(name); \
  pid_t hook_##name declarations {                        \
    int own = 0;                                          \
    if (status == nullptr) status = &own;                 \
    pid_t pid = real_##name() names;                      \
    if (pid > 0) note_ended(pid, *status, RF_FRAME);      \
    return pid;                                           \
  }
RF_WAIT(wait, (int* status), (status))
RF_WAIT(waitpid, (pid_t which, int* status, int options), (which, status, options))
RF_WAIT(wait3, (int* status, int options, struct rusage* usage), (status, options, usage))
RF_WAIT(wait4, (pid_t which, int* status, int options, struct rusage* usage), (which, status, options, usage))

RF_REAL(waitid, int(idtype_t, id_t, siginfo_t*, int))
RF_HOOK int hook_waitid(idtype_t by, id_t which, siginfo_t* info, int options) RF_SYMBOL(waitid);
int hook_waitid(idtype_t by, id_t which, siginfo_t* info, int options) {
  int result = real_waitid()(by, which, info, options);
  bool is_over = result == 0 && info != nullptr && info->si_pid > 0 && (options & WNOWAIT) == 0 &&
                 (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED);
  if (is_over) note_ended(info->si_pid, 0, RF_FRAME);
  return result;
}

namespace {

/// How many words execl and its relatives were given, the null pointer that ends them included.
size_t count_words(const char* first, va_list& rest) {
  size_t n = 1;
  for (const char* word = first; word != nullptr; word = va_arg(rest, const char*)) ++n;
  return n;
}

}  // namespace

// The words become an array no larger than they need: the stack may be a small one.
#define RF_EXECL(name, first_declaration, path_of, environment_from, call)             \
  RF_HOOK int hook_##name(first_declaration, const char* word, ...) RF_SYMBOL(name);   \
  int hook_##name(first_declaration, const char* word, ...) {                          \
    va_list rest;                                                                      \
    va_start(rest, word);                                                              \
    size_t n = count_words(word, rest);                                                \
    va_end(rest);                                                                      \
    auto** collected = static_cast<const char**>(__builtin_alloca(n * sizeof(char*))); \
    collected[0] = word;                                                               \
    va_start(rest, word);                                                              \
    for (size_t i = 1; i < n; ++i) collected[i] = va_arg(rest, const char*);           \
    [[maybe_unused]] char* const* environment = environment_from;                      \
    va_end(rest);                                                                      \
    auto* words = const_cast<char* const*>(collected);                                 \
    RF_ENVIRONMENT(path_of, environment)                                               \
    RF_BECOME(call)                                                                    \
  }
RF_EXECL(execl, const char* path, path, environ, real_execve()(path, words, passed))
RF_EXECL(execlp, const char* file, FoundProgram(file).path(), environ, real_execvpe()(file, words, passed))
RF_EXECL(execle, const char* path, path, (va_arg(rest, char* const*)), real_execve()(path, words, passed))

// vfork returns twice on one stack, so the hook must leave no frame behind: it jumps to the real one, after
// a note that the coming calls on this thread may be the child's, in shared memory.
RF_NOTE_NAME(required, "vfork")
extern "C" __attribute__((visibility("hidden"), used)) void* refrain_before_vfork() {
  expect_vfork();
  static std::atomic<void*> slot;
  void* found = slot.load(std::memory_order_relaxed);
  return found != nullptr ? found : find_real(slot, "vfork");
}

#if defined(__x86_64__)
__asm__(
    ".text\n.globl vfork\n.type vfork, @function\nvfork:\n"
    "  endbr64\n  subq $8, %rsp\n  call refrain_before_vfork\n  addq $8, %rsp\n  jmp *%rax\n"
    ".size vfork, .-vfork\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n.globl vfork\n.type vfork, %function\nvfork:\n"
    "  stp x29, x30, [sp, -16]!\n  bl refrain_before_vfork\n  ldp x29, x30, [sp], 16\n  mov x16, x0\n  "
    "br x16\n"
    ".size vfork, .-vfork\n");
#endif

}  // namespace refrain::record
