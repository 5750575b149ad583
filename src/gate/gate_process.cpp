// What happens to processes around the gated calls: load and exit, jumps out of running calls, restricted
// system calls; and what programs call that declare their phases themselves (refrain_gate.h).
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "gate/gate.hpp"
#include "part/raw.hpp"
#include "record/real.hpp"

namespace refrain::gate {

using record::find_real;

void find_posix_functions();
void find_stdio_functions();
void find_confinement_functions();

namespace {

__attribute__((constructor)) void on_load() {
  record::KeepErrno keep;
  find_posix_functions();
  find_stdio_functions();
  find_confinement_functions();
  start();
}

__attribute__((destructor)) void on_exit() { at_exit(); }

}  // namespace

// A jump leaves the calls behind that were running on this thread.
#define RF_GATE_JUMP(name)                                                                                 \
  RF_REAL(name, void(struct __jmp_buf_tag*, int))                                                          \
  RF_HOOK __attribute__((noreturn)) void hook_##name(struct __jmp_buf_tag* to, int value) RF_SYMBOL(name); \
  void hook_##name(struct __jmp_buf_tag* to, int value) {                                                  \
    leave_by_jump();                                                                                       \
    real_##name()(to, value);                                                                              \
    __builtin_unreachable();                                                                               \
  }
RF_GATE_JUMP(longjmp)
RF_GATE_JUMP(_longjmp)
RF_GATE_JUMP(siglongjmp)
RF_GATE_JUMP(__longjmp_chk)

RF_REAL(prctl, int(int, ...))
RF_HOOK int hook_prctl(int option, ...) RF_SYMBOL(prctl);
int hook_prctl(int option, ...) {
  va_list rest;
  va_start(rest, option);
  unsigned long a = va_arg(rest, unsigned long), b = va_arg(rest, unsigned long);
  unsigned long c = va_arg(rest, unsigned long), d = va_arg(rest, unsigned long);
  va_end(rest);
  if (option != PR_SET_SECCOMP) return real_prctl()(option, a, b, c, d);
  stand_aside(true);
  int result = real_prctl()(option, a, b, c, d);
  if (result != 0) stand_aside(false);
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
  if (!restricts) return real_syscall()(number, a, b, c, d, e, f);
  stand_aside(true);
  long result = real_syscall()(number, a, b, c, d, e, f);
  if (result < 0) stand_aside(false);
  return result;
}

void find_confinement_functions() { (void)real_prctl(), (void)real_syscall(); }

RF_HOOK void refrain_gate_begin(unsigned long long bytes);
void refrain_gate_begin(unsigned long long bytes) { declare_phase(bytes); }

RF_HOOK void refrain_gate_end();
void refrain_gate_end() { end_declared_phase(); }

}  // namespace refrain::gate
