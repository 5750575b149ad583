// Call sites and layers of events; see emit.hpp.
#include "record/emit.hpp"

#include <dlfcn.h>

#include <cstring>

#include "base/hash.hpp"

namespace refrain::record {
namespace {

enum class Layer : uint8_t { posix, stdio, mpiio, mpi, hdf5 };  // in the order of api::layers()

}  // namespace

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

uint32_t layer_of(api::RowId row) {
  static constexpr uint8_t layer_numbers[] = {
#define API(layer, ...) static_cast<uint8_t>(Layer::layer),
#define API_HAND(layer, ...) static_cast<uint8_t>(Layer::layer),
#define API_EVENT(layer, ...) static_cast<uint8_t>(Layer::layer),
#define API_ALIAS(...)
#define API_ALIAS_HAND(...)
#include "api/rows.def"
  };
  return layer_numbers[static_cast<size_t>(row)];
}

uint32_t stream_of(api::RowId row) {
  uint32_t layer = layer_of(row);
  return layer == static_cast<uint32_t>(Layer::mpi) ? static_cast<uint32_t>(Layer::mpiio) : layer;
}

}  // namespace refrain::record
