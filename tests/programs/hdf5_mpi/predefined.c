// Uses predefined objects of MPI and HDF5 by name: variables of their libraries, which an executable refers
// to in ways that depend on how it was compiled (tests/CMakeLists.txt builds it in three).
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

#include "../checked_hdf5.h"

#define OK(call) \
  if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1)

static void write_with_mpi(int rank) {
  MPI_File file;
  MPI_Datatype pair;
  double data[2] = {rank, rank + 0.5};
  OK(MPI_Type_contiguous(2, MPI_DOUBLE, &pair));
  OK(MPI_Type_commit(&pair));
  OK(MPI_File_open(MPI_COMM_WORLD, "shared.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  OK(MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof data, data, 1, pair, MPI_STATUS_IGNORE));
  OK(MPI_File_write_at(file, 1024 + rank, &rank, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  OK(MPI_File_close(&file));
  OK(MPI_Type_free(&pair));
}

static void write_with_hdf5(int rank) {
  hsize_t all[1] = {8}, start[1] = {(hsize_t)rank}, one[1] = {1};
  double value = rank;
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  hid_t file = MUST(H5Fcreate("shared.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  hid_t space = MUST(H5Screate_simple(1, all, NULL)), memory = MUST(H5Screate_simple(1, one, NULL));
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_obj_track_times(creation, 0));  // files of two runs are equal
  hid_t set = MUST(H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL));
  MUST(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value));
  MUST(H5Dclose(set));
  MUST(H5Sclose(memory));
  MUST(H5Sclose(space));
  MUST(H5Fclose(file));
  MUST(H5Pclose(creation));
  MUST(H5Pclose(access));
}

int main(int argc, char** argv) {
  int rank = 0;
  OK(MPI_Init(&argc, &argv));
  OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  write_with_mpi(rank);
  write_with_hdf5(rank);
  OK(MPI_Finalize());
  if (rank == 0) printf("written\n");
  return 0;
}
