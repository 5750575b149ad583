/* A module linked with the parallel HDF5, for a program that is linked with the serial one. */
#include <hdf5.h>

int write_second(const char* path);

static herr_t count(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  (void)group, (void)name, (void)info;
  ++*(int*)data;
  return 0;
}

/* Writes two datasets and returns how many links it finds, or a negative number. */
int write_second(const char* path) {
  hsize_t size = 5;
  int numbers[5] = {1, 2, 3, 4, 5}, links = 0;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &size, NULL);
  for (int i = 0; i < 2; ++i) {
    hid_t set = H5Dcreate2(file, i == 0 ? "one" : "two", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    if (H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) return -1;
    H5Dclose(set);
  }
  if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, count, &links) < 0) return -1;
  H5Sclose(space);
  return H5Fclose(file) < 0 ? -1 : links;
}
