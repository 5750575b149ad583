// Writes to objects of an HDF5 file that it finds: over a part of a dataset, to an attribute, and behind the
// end of a dataset that can grow. `h5_updater make` makes the file, `h5_updater` writes to it.
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

enum { size = 64, chunk = 16 };

static int bad;
static hid_t check(hid_t id, const char* what) {
  if (id < 0) fprintf(stderr, "%s failed\n", what), bad = 1;
  return id;
}

static void make(void) {
  hsize_t extent = size, most = H5S_UNLIMITED, part = chunk;
  hid_t file = check(H5Fcreate("update.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "H5Fcreate");
  hid_t fixed = H5Screate_simple(1, &extent, NULL), open = H5Screate_simple(1, &extent, &most);
  hid_t one = H5Screate(H5S_SCALAR), chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, &part);
  H5Pset_deflate(chunked, 1);
  hid_t data = H5Dcreate2(file, "fixed", H5T_IEEE_F32LE, fixed, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Aclose(H5Acreate2(data, "step", H5T_STD_I32LE, one, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(data);
  H5Dclose(H5Dcreate2(file, "growing", H5T_IEEE_F32LE, open, H5P_DEFAULT, chunked, H5P_DEFAULT));
  H5Sclose(fixed), H5Sclose(open), H5Sclose(one), H5Pclose(chunked), H5Fclose(file);
}

static void write_part(hid_t data, hsize_t start) {
  float values[chunk] = {0};
  hsize_t count = chunk;
  hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
  check(H5Dwrite(data, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values), "H5Dwrite");
  H5Sclose(memory), H5Sclose(space);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "make") == 0) {
    make();
    return bad;
  }
  hid_t file = check(H5Fopen("update.h5", H5F_ACC_RDWR, H5P_DEFAULT), "H5Fopen");
  hid_t fixed = check(H5Dopen2(file, "fixed", H5P_DEFAULT), "H5Dopen2");
  write_part(fixed, size - chunk);
  int number = 7;
  hid_t step = check(H5Aopen(fixed, "step", H5P_DEFAULT), "H5Aopen");
  check(H5Awrite(step, H5T_NATIVE_INT, &number), "H5Awrite");
  H5Aclose(step);
  hsize_t larger = 2 * size;
  H5E_BEGIN_TRY { H5Dset_extent(fixed, &larger); } /* it can't grow */
  H5E_END_TRY
  H5Dclose(fixed);
  hid_t growing = check(H5Dopen2(file, "growing", H5P_DEFAULT), "H5Dopen2");
  check(H5Dset_extent(growing, &larger), "H5Dset_extent");
  write_part(growing, larger - chunk);
  H5Dclose(growing), H5Fclose(file);
  return bad;
}
