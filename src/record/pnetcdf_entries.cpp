// The hooks of layer pnetcdf, which all follow from their rows. Built where PnetCDF's header is.
#define OMPI_SKIP_MPICXX
#include <pnetcdf.h>

#include <iterator>

#include "api/expand_rows.hpp"
#include "api/mpi/words.hpp"
#include "record/netcdf_call.hpp"

namespace refrain::record {
using namespace mpi_words;  // in place of the types of one MPI library

static const NetcdfFunctions& pnetcdf_functions();

#define API(layer, name, group, ...) RF_NETCDF_HOOK(layer, name, nc_file, pnetcdf_functions, __VA_ARGS__)
#include "api/pnetcdf/rows.def"
#include "api/undefine_rows.def"

static_assert(sizeof(MPI_Offset) == sizeof(int64_t));

#define RF_ASK(function) \
  .function = reinterpret_cast<decltype(NetcdfFunctions::function)>(real_ncmpi_##function())
static const NetcdfFunctions& pnetcdf_functions() {
  static const NetcdfFunctions functions{RF_ASK(inq_varndims), RF_ASK(inq_vardimid), RF_ASK(inq_vartype),
                                         RF_ASK(inq_dimlen),   RF_ASK(inq_attlen),   RF_ASK(inq_atttype),
                                         RF_ASK(inq_attname),  RF_ASK(inq),          RF_ASK(inq_format),
                                         RF_ASK(inq_dimname),  RF_ASK(inq_varname),  RF_ASK(inq_varnatts),
                                         RF_ASK(inq_varoffset)};
  return functions;
}

}  // namespace refrain::record
