// Holds the rows of layer pnetcdf against PnetCDF's header: prototypes, and the values behind names.
#define OMPI_SKIP_MPICXX
#include <pnetcdf.h>

#include "api/expand_rows.hpp"

namespace refrain::api {
namespace {

#define API(layer, name, group, result, ...)                                                            \
  [[maybe_unused]] constexpr RF_RESULT_TYPE result (*check_##name)(RF_LIST(RF_ARG_TYPE, __VA_ARGS__)) = \
      &::name;
#include "api/pnetcdf/rows.def"
#include "api/undefine_rows.def"

#define CASE(kind, name, value) static_assert(static_cast<long>(name) == (value));
#define FLAG(kind, name, value, bits) static_assert(static_cast<long>(name) == (value));
#include "api/pnetcdf/names.def"

}  // namespace
}  // namespace refrain::api
