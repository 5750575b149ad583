// What came with HDF5 1.12 and 1.14, alone: the part of every_hdf5 whose kernels and replays are looked at.
// Says nothing and ends with 77 where HDF5 is older.
#include "../hdf5_mpi/every_hdf5/every_hdf5.h"

int main(void) {
#if H5_VERSION_GE(1, 12, 0)
  hid_t file = MUST(H5Fcreate("later.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  use_later_functions(file);
  MUST(H5Fclose(file));
  return 0;
#else
  return 77;
#endif
}
