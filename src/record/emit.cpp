// Call sites and layers of events; see emit.hpp.
#include "record/emit.hpp"

#include <dlfcn.h>

#include <cstring>

#include "base/hash.hpp"

namespace refrain::record {

uint64_t site_of(const void* address) {
  if (address == nullptr) return 0;
  Dl_info info;
  uint64_t hash = 0, offset = reinterpret_cast<uint64_t>(address);
  if (dladdr(address, &info) != 0 && info.dli_fbase != nullptr) {
    offset -= reinterpret_cast<uint64_t>(info.dli_fbase);
    const char* name = info.dli_fname == nullptr ? "" : info.dli_fname;
    if (const char* slash = std::strrchr(name, '/')) name = slash + 1;
    for (const char* c = name; *c != 0; ++c) hash = hash_combine(hash, static_cast<unsigned char>(*c));
  }
  hash = hash_combine(hash, offset);
  return hash == 0 ? 1 : hash;
}

}  // namespace refrain::record
