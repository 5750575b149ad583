// Calls of HDF5 whose failure ends an example application, and the small things all writers of H5Part-like
// files do: open one file on all ranks, choose how data is transferred, attach attributes.
#ifndef REFRAIN_EXAMPLES_CHECKED_HDF5_H
#define REFRAIN_EXAMPLES_CHECKED_HDF5_H
#include <hdf5.h>
#include <string.h>

#include "checked_mpi.h"

// Identifiers and results of HDF5 are negative on failure; HDF5 itself prints the details.
static inline hid_t check_hdf5(hid_t result, const char* what) {
  if (result < 0) stop(what, "failed");
  return result;
}

static inline hid_t create_shared_file(const char* name) {
  hid_t access = check_hdf5(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
  check_hdf5(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
  hid_t file = check_hdf5(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
  check_hdf5(H5Pclose(access), "H5Pclose");
  return file;
}

static inline hid_t transfer_property(int collective) {
  hid_t transfer = check_hdf5(H5Pcreate(H5P_DATASET_XFER), "H5Pcreate");
  H5FD_mpio_xfer_t mode = collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT;
  check_hdf5(H5Pset_dxpl_mpio(transfer, mode), "H5Pset_dxpl_mpio");
  return transfer;
}

static inline hid_t create_group(hid_t parent, const char* name) {
  return check_hdf5(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Gcreate2");
}

// An attribute of `count` values; creating one changes the file's structure, so all ranks that have the file
// open do it together, with the same value.
static inline void put_attribute(hid_t object, const char* name, hid_t type, hsize_t count,
                                 const void* values) {
  hid_t space = check_hdf5(H5Screate_simple(1, &count, NULL), "H5Screate_simple");
  hid_t attribute = check_hdf5(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "H5Acreate2");
  check_hdf5(H5Awrite(attribute, type, values), "H5Awrite");
  check_hdf5(H5Aclose(attribute), "H5Aclose");
  check_hdf5(H5Sclose(space), "H5Sclose");
}

static inline void put_text_attribute(hid_t object, const char* name, const char* text) {
  hid_t type = check_hdf5(H5Tcopy(H5T_C_S1), "H5Tcopy");
  check_hdf5(H5Tset_size(type, strlen(text) + 1), "H5Tset_size");
  put_attribute(object, name, type, 1, text);
  check_hdf5(H5Tclose(type), "H5Tclose");
}
#endif
