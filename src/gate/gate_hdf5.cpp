// The gate's hooks of layer hdf5: elements of datasets. A process may hold two HDF5 libraries, and each
// caller means the one that it was linked with.
#include "api/hdf5/words.hpp"
#include "gate/entries.hpp"
#include "record/hdf5_callers.hpp"

namespace refrain::gate {

using namespace hdf5_words;
namespace hdf5 = record::hdf5;

#define GATE_hdf5(name, role, result, ...)                                                             \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                        \
  RF_HDF5_REAL(name, type_##name)                                                                      \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name); \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                        \
    auto* real = real_##name();                                                                        \
    if (auto* other = hdf5::elsewhere(RF_SITE, #name)) [[unlikely]]                                    \
      real = reinterpret_cast<type_##name*>(other);                                                    \
    return intercept<RowId::hdf5_##name, Role::role>(                                                  \
        real, RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__));                     \
  }
#define GATE_hdf5_PLACED(name, role, result, ...)                                                           \
  using type_##name =                                                                                       \
      RF_RESULT_TYPE result(const char*, const char*, unsigned, RF_LIST(RF_ARG_TYPE, __VA_ARGS__));         \
  RF_HDF5_REAL(name, type_##name)                                                                           \
  RF_HOOK RF_RESULT_TYPE result hook_##name(const char* in_file, const char* in_function, unsigned in_line, \
                                            RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name);      \
  RF_RESULT_TYPE result hook_##name(const char* in_file, const char* in_function, unsigned in_line,         \
                                    RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                             \
    auto* real = real_##name();                                                                             \
    if (auto* other = hdf5::elsewhere(RF_SITE, #name)) [[unlikely]]                                         \
      real = reinterpret_cast<type_##name*>(other);                                                         \
    auto placed = [=](auto... arguments) { return real(in_file, in_function, in_line, arguments...); };     \
    return intercept<RowId::hdf5_##name, Role::role>(placed, RF_SITE, RF_FRAME,                             \
                                                     RF_LIST(RF_ARG_NAME, __VA_ARGS__));                    \
  }
#include "gate/hooks.def"

}  // namespace refrain::gate
