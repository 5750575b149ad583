// The gate's hooks of layer posix.
#include <aio.h>
#include <dirent.h>
#include <stdarg.h>
#include <sys/sendfile.h>

#include "gate/entries.hpp"

namespace refrain::gate {

#define GATE_posix(...) RF_GATE_HOOK(posix, __VA_ARGS__)
#include "gate/hooks.def"

#include "record/posix_by_hand.hpp"

RF_REAL(close_range, int(unsigned, unsigned, int))
RF_HOOK int hook_close_range(unsigned first, unsigned last, int flags) RF_SYMBOL(close_range);
int hook_close_range(unsigned first, unsigned last, int flags) {
  forget_from(first, last);
  return real_close_range()(first, last, flags);
}

RF_REAL(closefrom, void(int))
RF_HOOK void hook_closefrom(int first) RF_SYMBOL(closefrom);
void hook_closefrom(int first) {
  forget_from(first < 0 ? 0 : static_cast<unsigned>(first), ~0U);
  real_closefrom()(first);
}

#define GATE_posix_ALIAS(symbol, function) RF_ALIAS_HOOK(symbol, function)
#include "gate/hooks.def"

/// Finds the functions behind the hooks ahead of their first use, which may be in a signal handler.
void find_posix_functions() {
#define GATE_posix(name, ...) (void)real_##name();
#include "gate/hooks.def"
}

}  // namespace refrain::gate
