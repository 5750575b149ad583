// What stands behind the hooks of the preload library; see real.hpp.
#include <dlfcn.h>
#include <link.h>

#include "record/real.hpp"

namespace refrain::record {
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

const bool linked_in = false;

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

FunctionAddress absent(const char*) { return reinterpret_cast<FunctionAddress>(&missing_function); }

}  // namespace refrain::record
