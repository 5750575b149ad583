// Finding the functions behind the hooks; see real.hpp.
#include "record/real.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cerrno>
#include <cstdio>

#include "part/raw.hpp"
#include "record/versioned_stat.hpp"

namespace refrain::record {
namespace {

#ifdef REFRAIN_WRAP
// Linked into the program: what it has, it has in the common scope. (A static one can't open objects.)
void* find_behind_hooks(const char* name) { return dlsym(RTLD_DEFAULT, name); }
#else

/// The loaded objects, so that they can be opened after the walk: it holds the loader's lock.
struct Objects {
  static constexpr size_t max = 512;
  const char* names[max];
  size_t count = 0;
};

int note_object(dl_phdr_info* info, size_t, void* into) {
  auto& objects = *static_cast<Objects*>(into);
  if (info->dlpi_name != nullptr && info->dlpi_name[0] != 0 && objects.count < Objects::max)
    objects.names[objects.count++] = info->dlpi_name;
  return 0;
}

/// The object that `address` lies in.
void* object_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

void* find_behind_hooks(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  Objects objects;
  dl_iterate_phdr(note_object, &objects);
  const void* own = object_of(reinterpret_cast<const void*>(&find_behind_hooks));
  for (size_t i = 0; i < objects.count; ++i) {
    void* object = dlopen(objects.names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (object == nullptr) continue;
    void* found = dlsym(object, name);
    dlclose(object);  // it was open before
    if (found != nullptr && object_of(found) != own) return found;
  }
  return nullptr;
}
#endif

}  // namespace

FunctionAddress find_function(const char* name) {
  return reinterpret_cast<FunctionAddress>(find_behind_hooks(name));
}

void* find_variable(const char* name) {
  if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
  return find_behind_hooks(name);
}

namespace {

/// As wide as any result, so that it is negative as an int, an ssize_t and an HDF5 identifier.
long missing_function() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

#ifdef REFRAIN_WRAP
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
#else
void* find_real(std::atomic<void*>& slot, const char* name) {
  KeepErrno keep;
  FunctionAddress function = find_function(name);
  if (function == nullptr) function = find_versioned_stat(name);
  if (function == nullptr) function = reinterpret_cast<FunctionAddress>(&missing_function);
  auto* found = reinterpret_cast<void*>(function);
  slot.store(found, std::memory_order_relaxed);
  return found;
}
#endif

}  // namespace refrain::record
