// One file for all ranks, through the MPI-IO driver: collective and independent transfers of every kind of
// layout.
#include "every_hdf5.h"

#ifdef H5_HAVE_PARALLEL
enum { block = 50 };

static void write_block(hid_t dataset, hid_t transfer, int occasion) {
  const hsize_t start = (hsize_t)rank * block;
  const hsize_t count = block;
  int values[block];
  int again[block];
  for (int i = 0; i < block; ++i) values[i] = occasion * 1000 + rank * block + i;
  hid_t memory = MUST(H5Screate_simple(1, &count, NULL));
  hid_t space = MUST(H5Dget_space(dataset));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, transfer, values));
  hid_t file = MUST(H5Iget_file_id(dataset));
  MUST(H5Fflush(file, H5F_SCOPE_GLOBAL));
  MUST(H5Fclose(file));
  MPI_Barrier(MPI_COMM_WORLD);
  MUST(H5Dread(dataset, H5T_NATIVE_INT, memory, space, transfer, again));
  must(memcmp(values, again, sizeof values) == 0 ? 0 : -1, "reading what was written");
  MUST(H5Sclose(space));
  MUST(H5Sclose(memory));
}

static void write_all_ways(hid_t file, const char* name, hid_t creation) {
  const hsize_t size = (hsize_t)ranks * block;
  hid_t space = MUST(H5Screate_simple(1, &size, NULL));
  hid_t dataset = MUST(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  hid_t transfer = MUST(H5Pcreate(H5P_DATASET_XFER));
  H5FD_mpio_xfer_t mode;
  H5D_mpio_actual_io_mode_t actual;
  uint32_t local = 0;
  uint32_t global = 0;
  write_block(dataset, transfer, 1);
  MUST(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
  MUST(H5Pget_dxpl_mpio(transfer, &mode));
  write_block(dataset, transfer, 2);
  MUST(H5Pget_mpio_actual_io_mode(transfer, &actual));
  MUST(H5Pget_mpio_no_collective_cause(transfer, &local, &global));
  note("%s: mode %d, actual %d, reasons against %u", name, (int)mode, (int)actual, (unsigned)global);
  MUST(H5Pset_dxpl_mpio_collective_opt(transfer, H5FD_MPIO_INDIVIDUAL_IO));
  write_block(dataset, transfer, 3);
  MUST(H5Pset_dxpl_mpio_chunk_opt(transfer, H5FD_MPIO_CHUNK_MULTI_IO));
  MUST(H5Pset_dxpl_mpio_chunk_opt_num(transfer, 10));
  MUST(H5Pset_dxpl_mpio_chunk_opt_ratio(transfer, 30));
  MUST(H5Pset_dxpl_mpio_collective_opt(transfer, H5FD_MPIO_COLLECTIVE_IO));
  write_block(dataset, transfer, 4);
  MUST(H5Pclose(transfer));
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(space));
}

void use_shared_file(void) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info found = MPI_INFO_NULL;
  hbool_t flag = 0;
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  MUST(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, info));
  MPI_Info_free(&info);
  MUST(H5Pget_fapl_mpio(access, &comm, &found));
  MPI_Comm_free(&comm);
  if (found != MPI_INFO_NULL) MPI_Info_free(&found);
  MUST(H5Pset_all_coll_metadata_ops(access, 1));
  MUST(H5Pset_coll_metadata_write(access, 1));
  hid_t file = MUST(H5Fcreate("every_shared.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  MUST(H5Fset_mpi_atomicity(file, 0));
  MUST(H5Fget_mpi_atomicity(file, &flag));

  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  write_all_ways(file, "contiguous", creation);
  const hsize_t chunk = 20;
  MUST(H5Pset_chunk(creation, 1, &chunk));
  write_all_ways(file, "chunked", creation);
  MUST(H5Pclose(creation));
  MUST(H5Fclose(file));
  MUST(H5Pclose(access));
}
#endif
