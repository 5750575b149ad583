// Pointers that the application got wrong: the kernel answers EFAULT, and a program may count on that, so the
// recorder must not be the one to crash. Where a pointer has to be followed before the call, or after a call
// that failed with EFAULT, the kernel is asked first, with a call that reads eight bytes and does nothing.
#pragma once

#include <signal.h>

#include "part/raw.hpp"

namespace refrain::record {

inline bool readable_word(uint64_t address) {
  constexpr int no_such_operation = -1;
  return raw::call(SYS_rt_sigprocmask, no_such_operation, address & ~uint64_t{7}, nullptr, 8) != -EFAULT;
}

inline bool readable(const void* place, size_t bytes) {
  auto first = reinterpret_cast<uint64_t>(place);
  uint64_t last = first + (bytes == 0 ? 0 : bytes - 1);
  if (last < first) return false;
  for (uint64_t page = first; page < last; page = (page | 4095) + 1)
    if (!readable_word(page)) return false;
  return readable_word(last);
}

/// As far as the kernel would read it: up to its end, or to the longest path.
inline bool readable_text(const char* text) {
  for (const char* at = text; at - text < 4096; ++at) {
    bool page_begins = (reinterpret_cast<uint64_t>(at) & 4095) == 0;
    if ((at == text || page_begins) && !readable_word(reinterpret_cast<uint64_t>(at))) return false;
    if (*at == 0) break;
  }
  return true;
}

}  // namespace refrain::record
