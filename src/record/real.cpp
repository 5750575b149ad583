// Finding the functions behind the hooks; see real.hpp.
#include "record/real.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cerrno>

#include "record/raw.hpp"

namespace refrain::record {
#ifdef REFRAIN_WRAP
// Linked into the program: what it has, it has in the common scope. (A static one can't open objects.)
void* find_in_libraries(const char* name) { return dlsym(RTLD_DEFAULT, name); }
#else
namespace {

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

}  // namespace

void* find_in_libraries(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  Objects objects;
  dl_iterate_phdr(note_object, &objects);
  const void* own = object_of(reinterpret_cast<const void*>(&find_in_libraries));
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

void* find_variable(const char* name) {
  if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
  return find_in_libraries(name);
}

#ifndef REFRAIN_WRAP
namespace {

/// As wide as any result, so that it is negative as an int, an ssize_t and an HDF5 identifier.
long missing_function() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

void* find_real(std::atomic<void*>& slot, const char* name) {
  KeepErrno keep;
  void* found = find_in_libraries(name);
  if (found == nullptr) found = reinterpret_cast<void*>(&missing_function);
  slot.store(found, std::memory_order_relaxed);
  return found;
}
#endif

}  // namespace refrain::record
