// The hooks of layer hdf5, which all follow from their rows, for every version of the library: compiled
// without its header.
#include <sys/types.h>

#include <iterator>

#include "api/expand_rows.hpp"
#include "api/hdf5/words.hpp"
#include "api/mpi/words.hpp"
#include "record/hdf5_call.hpp"
#include "record/hdf5_callers.hpp"
#include "record/hdf5_frequent.hpp"

namespace refrain::record {
using namespace hdf5_words;  // in place of the types of one version
using namespace mpi_words;   // and of one MPI library

#define RF_PLAN(layer, name, result, ...)                                                       \
  static constexpr api::Kind kinds_##name[] = {RF_LIST(RF_ARG_KIND, __VA_ARGS__) __VA_OPT__(, ) \
                                                   api::Kind::nothing};                         \
  static constexpr RowPlan plan_##name =                                                        \
      plan_of(api::RowId::layer##_##name, api::traits_of_row<api::RowId::layer##_##name>,       \
              RF_RESULT_KIND result, kinds_##name, std::size(kinds_##name) - 1);

#define API(layer, name, group, result, ...)                                                             \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                          \
  RF_HDF5_REAL(name, type_##name)                                                                        \
  RF_PLAN(layer, name, result, __VA_ARGS__)                                                              \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name);   \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                          \
    if (auto* other = hdf5::elsewhere(RF_SITE, #name)) [[unlikely]]                                      \
      return reinterpret_cast<type_##name*>(other)(RF_LIST(RF_ARG_NAME, __VA_ARGS__));                   \
    return intercept_library<HalvesFor<plan_##name>>(                                                    \
        plan_##name, real_##name(), RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__)); \
  }
// The same with the caller's place in its source, which HDF5's header puts before the arguments.
#define API_PLACED(layer, name, group, result, ...)                                                         \
  using type_##name =                                                                                       \
      RF_RESULT_TYPE result(const char*, const char*, unsigned, RF_LIST(RF_ARG_TYPE, __VA_ARGS__));         \
  RF_HDF5_REAL(name, type_##name)                                                                           \
  RF_PLAN(layer, name, result, __VA_ARGS__)                                                                 \
  RF_HOOK RF_RESULT_TYPE result hook_##name(const char* in_file, const char* in_function, unsigned in_line, \
                                            RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name);      \
  RF_RESULT_TYPE result hook_##name(const char* in_file, const char* in_function, unsigned in_line,         \
                                    RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                             \
    if (auto* other = hdf5::elsewhere(RF_SITE, #name)) [[unlikely]]                                         \
      return reinterpret_cast<type_##name*>(other)(in_file, in_function, in_line,                           \
                                                   RF_LIST(RF_ARG_NAME, __VA_ARGS__));                      \
    auto placed = [=](auto... arguments) {                                                                  \
      return real_##name()(in_file, in_function, in_line, arguments...);                                    \
    };                                                                                                      \
    return intercept_library<HalvesFor<plan_##name>>(plan_##name, placed, RF_SITE, RF_FRAME,                \
                                                     RF_LIST(RF_ARG_NAME, __VA_ARGS__));                    \
  }
#include "api/hdf5/rows.def"
#include "api/undefine_rows.def"

}  // namespace refrain::record
