// closefrom and close_range, for a C library before 2.34: there programs close descriptors one by one.
#pragma once
#include <features.h>
#include <unistd.h>

#if !__GLIBC_PREREQ(2, 34)
static inline int close_range(unsigned first, unsigned last, int flags) {
  (void)flags;
  for (unsigned fd = first; fd <= last && fd < 4096; ++fd) close((int)fd);
  return 0;
}
static inline void closefrom(int first) { close_range((unsigned)first, ~0u, 0); }
#endif
