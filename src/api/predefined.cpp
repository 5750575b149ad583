#include "api/predefined.hpp"

#include <iterator>

namespace refrain::api {
namespace {

// By class of handle, as mpi_predefined.def has them.
constexpr std::string_view type_mpi_group = "MPI_Group", type_communicator = "MPI_Comm",
                           type_request = "MPI_Request", type_mpi_op = "MPI_Op",
                           type_errhandler = "MPI_Errhandler", type_info = "MPI_Info",
                           type_mpi_file = "MPI_File", type_mpi_type = "MPI_Datatype", type_hdf5 = "hid_t";

struct Predefined {
  std::string_view name, type;
};
constexpr Predefined all[] = {
#define PREDEFINED(handle_class, name) {#name, type_##handle_class},
#include "api/mpi_predefined.def"
#define H5_PREDEFINED(name, variable) {#name, type_hdf5},
#include "api/hdf5_predefined.def"
    {"H5S_ALL", type_hdf5},         {"H5P_DEFAULT", type_hdf5}, {"H5E_DEFAULT", type_hdf5},
    {"H5I_INVALID_HID", type_hdf5}, {"H5FD_CORE", type_hdf5},   {"H5FD_DIRECT", type_hdf5},
    {"H5FD_FAMILY", type_hdf5},     {"H5FD_LOG", type_hdf5},    {"H5FD_MPIO", type_hdf5},
    {"H5FD_MULTI", type_hdf5},      {"H5FD_SEC2", type_hdf5},   {"H5FD_STDIO", type_hdf5},
};

}  // namespace

std::string_view predefined_type(std::string_view name) {
  for (const Predefined& p : all)
    if (p.name == name) return p.type;
  return {};
}

}  // namespace refrain::api
