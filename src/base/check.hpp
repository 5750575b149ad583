// Programming errors end the program at once, in release builds too. Not for use on data from outside,
// and never inside the application's process.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace refrain {

#define REFRAIN_CHECK(condition)                                                                      \
  do {                                                                                                \
    if (!(condition)) [[unlikely]] {                                                                  \
      std::fprintf(stderr, "refrain: %s:%d: broken invariant: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                                   \
    }                                                                                                 \
  } while (0)

}  // namespace refrain
