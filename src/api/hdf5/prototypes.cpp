// Holds the rows of layer hdf5 against HDF5's header: prototypes, and the values behind names.
#include <hdf5.h>

#include "api/expand_rows.hpp"

#ifndef H5_HAVE_PARALLEL
#define REFRAIN_SERIAL_HDF5
#endif
#ifndef H5_HAVE_DIRECT
#define REFRAIN_HDF5_WITHOUT_DIRECT
#endif
// The header's constants start the library before they give their value.
#undef H5OPEN
#undef H5CHECK
#define H5OPEN
#define H5CHECK

namespace refrain::api {
namespace {

#define API(layer, name, group, result, ...)                                                            \
  [[maybe_unused]] constexpr RF_RESULT_TYPE result (*check_##name)(RF_LIST(RF_ARG_TYPE, __VA_ARGS__)) = \
      &::name;
#include "api/hdf5/rows.def"
#include "api/undefine_rows.def"

#define CASE(kind, name, value) static_assert(static_cast<long>(name) == (value));
#define FLAG(kind, name, value, bits) static_assert(static_cast<long>(name) == (value));
#include "api/hdf5/names.def"

}  // namespace
}  // namespace refrain::api
