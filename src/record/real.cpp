// Finding the functions behind the hooks; see real.hpp.
#include "record/real.hpp"

#include <dlfcn.h>

#include <cerrno>

#include "part/raw.hpp"
#include "record/versioned_stat.hpp"

namespace refrain::record {

FunctionAddress find_function(const char* name) {
  return reinterpret_cast<FunctionAddress>(find_behind_hooks(name));
}

void* find_variable(const char* name) {
  void* found = linked_in ? nullptr : dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : find_behind_hooks(name);
}

long missing_function() {
  errno = ENOSYS;
  return -1;
}

void* find_real(std::atomic<void*>& slot, const char* name) {
  KeepErrno keep;
  // Where the recorder is linked in, a stat that calls __xstat would lead back to the hook of that.
  FunctionAddress function = linked_in ? find_versioned_stat(name) : nullptr;
  if (function == nullptr) function = find_function(name);
  if (function == nullptr) function = find_versioned_stat(name);
  if (function == nullptr) function = absent(name);
  auto* found = reinterpret_cast<void*>(function);
  slot.store(found, std::memory_order_relaxed);
  return found;
}

}  // namespace refrain::record
