// Holds the rows of layer netcdf against netCDF's header: prototypes, and the values behind names.
#ifdef REFRAIN_NETCDF_PARALLEL
#define OMPI_SKIP_MPICXX
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#else
#define REFRAIN_SERIAL_NETCDF
#include <netcdf.h>
#endif

#include "api/expand_rows.hpp"

namespace refrain::api {
namespace {

#define API(layer, name, group, result, ...)                                                            \
  [[maybe_unused]] constexpr RF_RESULT_TYPE result (*check_##name)(RF_LIST(RF_ARG_TYPE, __VA_ARGS__)) = \
      &::name;
#include "api/netcdf/rows.def"
#include "api/undefine_rows.def"

#ifndef REFRAIN_SERIAL_NETCDF
#define CASE(kind, name, value) static_assert(static_cast<long>(name) == (value));
#include "api/netcdf/names.def"
#endif

}  // namespace
}  // namespace refrain::api
