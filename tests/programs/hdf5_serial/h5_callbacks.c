/* Functions of HDF5 that call back, with callbacks that use HDF5 themselves; and a file that is still open at
 * exit, for the library to close. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(long long result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

static herr_t read_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  double numbers[4];
  (void)info;
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  must(dataset, "H5Dopen2");
  must(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), "H5Dread");
  must(H5Dclose(dataset), "H5Dclose");
  ++*(int*)data;
  return 0;
}

static herr_t read_attribute(hid_t object, const char* name, const H5A_info_t* info, void* data) {
  int number;
  (void)info;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  must(attribute, "H5Aopen");
  must(H5Aread(attribute, H5T_NATIVE_INT, &number), "H5Aread");
  must(H5Aclose(attribute), "H5Aclose");
  ++*(int*)data;
  return 0;
}

static herr_t ask_object(hid_t object, const char* name, const H5O_info_t* info, void* data) {
  if (info->type == H5O_TYPE_DATASET) must(H5Oexists_by_name(object, name, H5P_DEFAULT), "H5Oexists_by_name");
  ++*(int*)data;
  return 0;
}

/* Iterates again, below the group that the outer iteration found. */
static herr_t go_down(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  (void)info;
  must(H5Literate_by_name(group, name, H5_INDEX_NAME, H5_ITER_INC, NULL, read_link, data, H5P_DEFAULT),
       "H5Literate_by_name");
  return 0;
}

static herr_t add_element(void* element, hid_t type, unsigned rank, const hsize_t* point, void* data) {
  (void)rank, (void)point;
  if (H5Tget_size(type) != sizeof(double)) return -1;
  *(double*)data += *(double*)element;
  return 0;
}

static void fill(hid_t file) {
  const char* groups[] = {"even", "odd"};
  double numbers[4] = {1, 2, 3, 4};
  hsize_t size = 4;
  hid_t space = H5Screate_simple(1, &size, NULL), scalar = H5Screate(H5S_SCALAR);
  for (int g = 0; g < 2; ++g) {
    hid_t group = H5Gcreate2(file, groups[g], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < 3; ++i) {
      char name[16];
      snprintf(name, sizeof name, "set%d", i);
      hid_t dataset =
          H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      must(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), "H5Dwrite");
      H5Dclose(dataset);
      snprintf(name, sizeof name, "mark%d", i);
      hid_t attribute = H5Acreate2(group, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
      must(H5Awrite(attribute, H5T_NATIVE_INT, &i), "H5Awrite");
      H5Aclose(attribute);
    }
    H5Gclose(group);
  }
  H5Sclose(scalar);
  H5Sclose(space);
}

int main(void) {
  int links = 0, attributes = 0, objects = 0, nested = 0;
  double sum = 0, numbers[4] = {1, 2, 3, 4};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  must(H5Pset_driver(access, H5FD_STDIO, NULL), "H5Pset_driver");
  must(H5Pset_driver(access, H5FD_SEC2, NULL), "H5Pset_driver");
  hid_t file = H5Fcreate("callbacks.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  must(file, "H5Fcreate");
  fill(file);
  must(H5Literate_by_name(file, "even", H5_INDEX_NAME, H5_ITER_INC, NULL, read_link, &links, H5P_DEFAULT),
       "H5Literate_by_name");
  hid_t group = H5Gopen2(file, "odd", H5P_DEFAULT);
  must(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, read_link, &links), "H5Literate");
  must(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, read_attribute, &attributes), "H5Aiterate2");
  must(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, ask_object, &objects), "H5Ovisit");
  must(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, go_down, &nested), "H5Literate");
  hsize_t size = 4;
  hid_t space = H5Screate_simple(1, &size, NULL);
  must(H5Diterate(numbers, H5T_NATIVE_DOUBLE, space, add_element, &sum), "H5Diterate");
  printf("links %d attributes %d objects %d nested %d sum %g\n", links, attributes, objects, nested, sum);
  hid_t left = H5Fcreate("left_open.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  fill(left);
  H5Gclose(group);
  H5Fclose(file);
  return 0;
}
