/* A program with two HDF5 libraries: it is linked with the serial one and opens a module that has the
 * parallel one.
 *
 *   h5_two_libraries MODULE */
#include <dlfcn.h>
#include <hdf5.h>
#include <stdio.h>

static void write_first(const char* path) {
  hsize_t size = 3;
  double numbers[3] = {1, 2, 3};
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(file, "first", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  herr_t written = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  printf("%s: %s\n", path, written < 0 ? "failed" : "written");
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  write_first("before.h5");
  void* module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (module == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  int (*write_second)(const char*);
  *(void**)&write_second = dlsym(module, "write_second");
  hid_t held = H5Fcreate("held.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("second.h5: %d links\n", write_second("second.h5"));
  H5Fclose(held);
  write_first("after.h5");
  return 0;
}
