// stat and its kin, and mknod, where the C library has them under other names: glibc before 2.33 has __xstat,
// which takes a version of struct stat, and programs hold a stat of their own that calls it.
#pragma once

#include "record/real.hpp"

namespace refrain::record {

/// What does as the function of this name does; nullptr if there is nothing.
FunctionAddress find_versioned_stat(const char* name);

}  // namespace refrain::record
