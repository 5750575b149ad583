/* Four ranks each write one file, one after another: who is done sends a message to the next, which looks at
 * the beginning of the file before it goes on. The last one of all tells everybody, and all read what the
 * first one wrote. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { in_group = 4, length = 1000 };
static double data[length];

static hid_t good(hid_t id) {
  if (id < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return id;
}

static void look_at(const char* name) {
  FILE* file = fopen(name, "rb");
  if (file == NULL || fread(data, 1, 512, file) != 512) MPI_Abort(MPI_COMM_WORLD, 1);
  fclose(file);
}

static void write_domain(hid_t file, int rank) {
  char name[32];
  snprintf(name, sizeof name, "domain_%03d", rank);
  hid_t group = good(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t space = good(H5Screate_simple(1, (hsize_t[]){length}, NULL));
  for (int i = 0; i < 3; ++i) {
    snprintf(name, sizeof name, "var%d", i);
    hid_t set =
        good(H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    H5Dclose(set);
  }
  H5Sclose(space);
  H5Gclose(group);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0, baton = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char name[32];
  snprintf(name, sizeof name, "dump_%02d.h5", rank / in_group);
  int first = rank % in_group == 0;
  if (!first) MPI_Recv(&baton, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!first) look_at(name);
  hid_t file = good(first ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                          : H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT));
  write_domain(file, rank);
  H5Fclose(file);
  if ((rank + 1) % in_group != 0 && rank + 1 < size)
    MPI_Send(&baton, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &baton, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  file = good(H5Fopen("dump_00.h5", H5F_ACC_RDONLY, H5P_DEFAULT));
  hid_t set = good(H5Dopen2(file, "domain_000/var1", H5P_DEFAULT));
  good(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  H5Dclose(set);
  H5Fclose(file);
  MPI_Finalize();
  return 0;
}
