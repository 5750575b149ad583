// A file of four datasets, in each of which every rank has sixteen blocks next to each other that it writes
// and reads one by one, by itself. What HDF5 reads of its own structures stands between them, so that the
// places it reads from are one long list.
#include <mpi.h>
#include <stdio.h>

#include "../checked_hdf5.h"

enum { segments = 4, blocks = 16, block = 512 };

static void transfer(hid_t file, int segment, int rank, int ranks, int writing) {
  char name[16];
  double data[block] = {0};
  hsize_t all = (hsize_t)ranks * blocks * block, count = block;
  snprintf(name, sizeof name, "segment%d", segment);
  hid_t space = MUST(H5Screate_simple(1, &all, NULL)), memory = MUST(H5Screate_simple(1, &count, NULL));
  hid_t set =
      writing ? MUST(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))
              : MUST(H5Dopen2(file, name, H5P_DEFAULT));
  for (int i = 0; i < blocks; ++i) {
    hsize_t start = ((hsize_t)rank * blocks + (hsize_t)i) * block;
    MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
    if (writing)
      MUST(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, data));
    else
      MUST(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, data));
  }
  MUST(H5Dclose(set));
  MUST(H5Sclose(memory));
  MUST(H5Sclose(space));
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  hid_t file = MUST(H5Fcreate("segments.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  for (int s = 0; s < segments; ++s) transfer(file, s, rank, ranks, 1);
  MUST(H5Fclose(file));
  file = MUST(H5Fopen("segments.h5", H5F_ACC_RDONLY, access));
  for (int s = 0; s < segments; ++s) transfer(file, s, rank, ranks, 0);
  MUST(H5Fclose(file));
  MUST(H5Pclose(access));
  MPI_Finalize();
  return 0;
}
