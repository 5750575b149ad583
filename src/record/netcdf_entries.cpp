// The hooks of layer netcdf, which follow from their rows, but for those that Fortran has of its own. Built
// where netCDF's header is.
#ifdef REFRAIN_NETCDF_PARALLEL
#define OMPI_SKIP_MPICXX
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#else
#define REFRAIN_SERIAL_NETCDF
#include <netcdf.h>
#endif

#include <iterator>

#include "api/expand_rows.hpp"
#include "api/mpi/words.hpp"
#include "record/mpi_handles.hpp"
#include "record/netcdf_call.hpp"

namespace refrain::record {
using namespace mpi_words;  // in place of the types of one MPI library

static const NetcdfFunctions& netcdf_functions();

#define API(layer, name, group, ...) RF_NETCDF_HOOK(layer, name, nc4_file, netcdf_functions, __VA_ARGS__)
#include "api/netcdf/rows.def"
#include "api/undefine_rows.def"

static_assert(sizeof(size_t) == sizeof(int64_t));

#define RF_ASK(function) \
  .function = reinterpret_cast<decltype(NetcdfFunctions::function)>(real_nc_##function())
static const NetcdfFunctions& netcdf_functions() {
  static const NetcdfFunctions functions{
      RF_ASK(inq_varndims),     RF_ASK(inq_vardimid), RF_ASK(inq_vartype),     RF_ASK(inq_dimlen),
      RF_ASK(inq_attlen),       RF_ASK(inq_atttype),  RF_ASK(inq_attname),     RF_ASK(inq),
      RF_ASK(inq_format),       RF_ASK(inq_dimname),  RF_ASK(inq_varname),     RF_ASK(inq_varnatts),
      .inq_varoffset = nullptr, RF_ASK(inq_type),     RF_ASK(inq_grpname_full)};
  return functions;
}

#ifdef REFRAIN_NETCDF_PARALLEL
// Fortran hands its own handles of MPI to these; the call is that of C.
#define RF_FROM_FORTRAN(symbol, function)                                                                 \
  RF_LIBRARY_REAL(symbol, int(const char*, int, int, int, int*))                                          \
  RF_HOOK int hook_##symbol(const char* path, int mode, int comm, int info, int* file) RF_SYMBOL(symbol); \
  int hook_##symbol(const char* path, int mode, int comm, int info, int* file) {                          \
    const uint64_t words[] = {word_of(path), word_of(mode),                                               \
                              handle_of_fortran(HandleClass::communicator, comm),                         \
                              handle_of_fortran(HandleClass::info, info), word_of(file)};                 \
    NetcdfCall call(row_##function, words, RF_SITE, RF_FRAME);                                            \
    return call.finish(real_##symbol()(path, mode, comm, info, file));                                    \
  }
RF_FROM_FORTRAN(nc_create_par_fortran, nc_create_par)
RF_FROM_FORTRAN(nc_open_par_fortran, nc_open_par)
#endif

}  // namespace refrain::record
