// What stands behind the hooks of the link-time library; see real.hpp. Made while Refrain is built, a table
// has the names that hooks look up, with what the linker puts there.
#include <dlfcn.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>

#include "part/raw.hpp"
#include "record/real.hpp"

namespace refrain::record {

extern "C" {
/// A name, and where it is in the program: nullptr if the program lacks it.
struct LinkedName {
  const char* name;
  void* address;
};
extern const LinkedName refrain_linked_names[];
extern const size_t refrain_linked_name_count;
}

const bool linked_in = true;

void* find_behind_hooks(const char* name) {
  size_t from = 0, to = refrain_linked_name_count;  // they are sorted
  while (from < to) {
    size_t middle = (from + to) / 2;
    int order = std::strcmp(refrain_linked_names[middle].name, name);
    if (order == 0) return refrain_linked_names[middle].address;
    (order < 0 ? from : to) = order < 0 ? middle + 1 : middle;
  }
  // What the program has, it has in the common scope. (A static one can't open objects.)
  return dlsym(RTLD_DEFAULT, name);
}

FunctionAddress absent(const char* name) {
  KeepErrno keep;
  static std::atomic<bool> said{false};
  char line[200];
  int length = std::snprintf(line, sizeof line,
                             "refrain: %s is not in this program: name its library to 'refrain link-flags "
                             "--static' when linking\n",
                             name);
  if (!said.exchange(true)) raw::call(SYS_write, 2, line, static_cast<size_t>(length));
  return reinterpret_cast<FunctionAddress>(&missing_function);
}

}  // namespace refrain::record
