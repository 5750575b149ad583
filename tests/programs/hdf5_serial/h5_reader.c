// Reads an HDF5 file that it finds, and asks what is in it: `h5_reader make` makes the file, `h5_reader`
// reads it.
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

enum { rows = 12, columns = 10 };

static int check(long long id, const char* what) {
  if (id < 0) fprintf(stderr, "%s failed\n", what);
  return id < 0;
}

static int make(void) {
  hsize_t size[2] = {rows, columns};
  double values[rows][columns] = {{0}};
  hid_t file = H5Fcreate("input.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, size, NULL);
  hid_t data = H5Dcreate2(group, "field", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int bad = check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  H5Dclose(H5Dcreate2(group, "unread", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t one = H5Screate(H5S_SCALAR);
  hid_t step = H5Acreate2(group, "step", H5T_STD_I32LE, one, H5P_DEFAULT, H5P_DEFAULT);
  int number = 7;
  bad |= check(H5Awrite(step, H5T_NATIVE_INT, &number), "H5Awrite");
  H5Aclose(step);
  H5Aclose(H5Acreate2(data, "unit", H5T_STD_I16LE, one, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(group, "seen", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(one);
  H5Dclose(data);
  H5Sclose(space);
  H5Gclose(group);
  return bad | check(H5Fclose(file), "H5Fclose");
}

/* A program that looks before it reads, as tools do. */
static int ask(hid_t group) {
  H5O_info_t about;
  hsize_t extent[2];
  hid_t data = H5Dopen2(group, "unread", H5P_DEFAULT), space = H5Dget_space(data), type = H5Dget_type(data);
  int bad = H5Sget_simple_extent_dims(space, extent, NULL) != 2;
  bad |= H5Sget_simple_extent_npoints(space) != rows * columns;
  bad |= H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) != 8;
  bad |= H5Lexists(group, "seen", H5P_DEFAULT) <= 0 || H5Lexists(group, "never", H5P_DEFAULT) != 0;
  bad |=
      check(H5Oget_info_by_name2(group, "seen", &about, H5O_INFO_BASIC, H5P_DEFAULT), "H5Oget_info_by_name2");
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(data);
  data = H5Dopen2(group, "field", H5P_DEFAULT);
  hid_t unit = H5Aopen_by_idx(data, ".", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Aget_space(unit);
  bad |= H5Sget_simple_extent_ndims(space) != 0;
  H5Sclose(space);
  H5Aclose(unit);
  return bad | check(H5Dclose(data), "H5Dclose");
}

static int read_all(void) {
  hsize_t start[2] = {8, 0}, count[2] = {4, columns};
  double values[4][columns];
  int number = 0;
  hid_t file = H5Fopen("input.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
  hid_t step = H5Aopen(group, "step", H5P_DEFAULT);
  int bad = check(H5Aread(step, H5T_NATIVE_INT, &number), "H5Aread");
  H5Aclose(step);
  hid_t data = H5Dopen2(group, "field", H5P_DEFAULT);
  bad |= ask(group);
  hid_t disk = H5Dget_space(data), memory = H5Screate_simple(2, count, NULL);
  H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, count, NULL);
  bad |= check(H5Dread(data, H5T_NATIVE_DOUBLE, memory, disk, H5P_DEFAULT, values), "H5Dread");
  H5Sclose(memory);
  H5Sclose(disk);
  H5Dclose(data);
  H5Gclose(group);
  return bad | check(H5Fclose(file), "H5Fclose");
}

int main(int argc, char** argv) { return argc > 1 && strcmp(argv[1], "make") == 0 ? make() : read_all(); }
