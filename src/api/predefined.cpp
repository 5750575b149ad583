#include "api/predefined.hpp"

#include "api/handle_class.hpp"

namespace refrain::api {
namespace {

struct Predefined {
  std::string_view name, type;
};
constexpr Predefined all[] = {
#define PREDEFINED(handle_class, name, ...) {#name, facts_of(HandleClass::handle_class).type},
#define PREDEFINED_VALUE PREDEFINED
#define PREDEFINED_DRIVER PREDEFINED
#include "api/layers.def"
};

struct Size {
  int64_t bytes;
  std::string_view name;
};
constexpr Size sizes[] = {
#define SIZE(bytes, name) {bytes, #name},
#include "api/mpi/type_sizes.def"
};

}  // namespace

std::string_view predefined_type(std::string_view name) {
  for (const Predefined& p : all)
    if (p.name == name) return p.type;
  return {};
}

int64_t predefined_size(std::string_view name) {
  for (const Size& size : sizes)
    if (size.name == name) return size.bytes;
  return 0;
}

}  // namespace refrain::api
