// What happens to processes around the gated calls: load and exit, jumps out of running calls; and what
// programs call that declare their phases themselves (refrain_gate.h).
#include <setjmp.h>

#include "gate/gate.hpp"
#include "record/raw.hpp"
#include "record/real.hpp"

namespace refrain::gate {

using record::find_real;

void find_posix_functions();
void find_stdio_functions();

namespace {

__attribute__((constructor)) void on_load() {
  record::KeepErrno keep;
  find_posix_functions();
  find_stdio_functions();
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

RF_HOOK void refrain_gate_begin(unsigned long long bytes);
void refrain_gate_begin(unsigned long long bytes) { declare_phase(bytes); }

RF_HOOK void refrain_gate_end();
void refrain_gate_end() { end_declared_phase(); }

}  // namespace refrain::gate
