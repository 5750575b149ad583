// The hooks of layer hdf5, which all follow from their rows. Built where HDF5's header is.
#include <hdf5.h>

#include <iterator>

#include "api/expand_rows.hpp"
#include "api/mpi/words.hpp"
#include "record/hdf5_call.hpp"
#include "record/hdf5_callers.hpp"
#include "record/hdf5_frequent.hpp"

#ifndef H5_HAVE_PARALLEL
#define REFRAIN_SERIAL_HDF5
#endif

namespace refrain::record {
using namespace mpi_words;  // in place of the types of one MPI library

#define API(layer, name, group, result, ...)                                                             \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                          \
  RF_HDF5_REAL(name, type_##name)                                                                        \
  static constexpr api::Kind kinds_##name[] = {RF_LIST(RF_ARG_KIND, __VA_ARGS__) __VA_OPT__(, )          \
                                                   api::Kind::nothing};                                  \
  static constexpr RowPlan plan_##name =                                                                 \
      plan_of(api::RowId::layer##_##name, api::traits_of_row<api::RowId::layer##_##name>,                \
              RF_RESULT_KIND result, kinds_##name, std::size(kinds_##name) - 1);                         \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name);   \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                          \
    if (auto* other = hdf5::elsewhere(RF_SITE, #name)) [[unlikely]]                                      \
      return reinterpret_cast<type_##name*>(other)(RF_LIST(RF_ARG_NAME, __VA_ARGS__));                   \
    return intercept_library<HalvesFor<plan_##name>>(                                                    \
        plan_##name, real_##name(), RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__)); \
  }
#include "api/hdf5/rows.def"
#include "api/undefine_rows.def"

}  // namespace refrain::record
