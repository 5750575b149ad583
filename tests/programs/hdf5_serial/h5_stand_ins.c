// Functions of its own that a program makes known to HDF5: a filter, a class of links, a driver; and files
// that are several files, or only in memory; and what one call leaves in memory for another.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "../checked_hdf5.h"

enum { our_filter = 300, our_link = 70 };

static size_t invert(unsigned flags, size_t count, const unsigned* values, size_t bytes, size_t* size,
                     void** data) {
  (void)flags, (void)count, (void)values, (void)size;
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)*data)[i] ^= 1;
  return bytes;
}

static hid_t follow(const char* name, hid_t group, const void* data, size_t bytes, hid_t access,
                    hid_t transfer) {
  (void)name, (void)data, (void)bytes, (void)transfer;
  return H5Oopen(group, ".", access);
}

static void numbers(hid_t file, const char* name, hid_t creation) {
  int values[100] = {0};
  hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){100}, NULL));
  hid_t dataset = MUST(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(space));
}

static void through(const char* name, hid_t access) {
  int values[100];
  hid_t file = MUST(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  numbers(file, "numbers", H5P_DEFAULT);
  MUST(H5Fclose(file));
  file = MUST(H5Fopen(name, H5F_ACC_RDONLY, access));
  hid_t dataset = MUST(H5Dopen2(file, "numbers", H5P_DEFAULT));
  MUST(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dclose(dataset));
  MUST(H5Fclose(file));
}

static void own_functions(void) {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, our_filter, 1, 1, "ours", NULL, NULL, invert};
  const H5L_class_t links = {
      H5L_LINK_CLASS_T_VERS, (H5L_type_t)our_link, "ours", NULL, NULL, NULL, follow, NULL, NULL};
  MUST(H5Zregister(&filter));
  MUST(H5Lregister(&links));
  hid_t file = MUST(H5Fcreate("functions.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(creation, 1, (hsize_t[]){10}));
  MUST(H5Pset_filter(creation, our_filter, 0, 0, NULL));
  numbers(file, "numbers", creation);
  MUST(H5Lcreate_ud(file, "ours", (H5L_type_t)our_link, "data", 5, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Oclose(MUST(H5Oopen(file, "ours", H5P_DEFAULT))));
  MUST(H5Pclose(creation));
  MUST(H5Fclose(file));
  MUST(H5Lunregister((H5L_type_t)our_link));
  MUST(H5Zunregister(our_filter));
}

/// A driver with settings, which leaves all work to the one for ordinary files.
static void own_driver(hid_t access) {
  H5FD_t* any = H5FDopen("functions.h5", H5F_ACC_RDONLY, H5P_DEFAULT, HADDR_UNDEF);
  if (!any) exit(1);
  H5FD_class_t ours = *any->cls;
  MUST(H5FDclose(any));
  ours.name = "ours";
  ours.terminate = NULL;
  ours.fapl_size = 4;
  hid_t driver = MUST(H5FDregister(&ours));
  MUST(H5Pset_driver(access, driver, "set"));
  through("driver.h5", access);
  MUST(H5Pset_fapl_sec2(access));
  MUST(H5FDunregister(driver));
}

static void image(hid_t access) {
  MUST(H5Pset_fapl_core(access, 65536, 0));
  hid_t file = MUST(H5Fcreate("image.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  numbers(file, "numbers", H5P_DEFAULT);
  MUST(H5Fflush(file, H5F_SCOPE_GLOBAL));
  size_t bytes = (size_t)MUST(H5Fget_file_image(file, NULL, 0));
  void* memory = malloc(bytes);
  MUST(H5Fget_file_image(file, memory, bytes));
  MUST(H5Fclose(file));
  MUST(H5Pset_file_image(access, memory, bytes));
  file = MUST(H5Fopen("image.h5", H5F_ACC_RDONLY, access));
  MUST(H5Dclose(MUST(H5Dopen2(file, "numbers", H5P_DEFAULT))));
  MUST(H5Fclose(file));
  free(memory);
}

/// Encoded objects, references and the value of a link, each taken from where a call left it.
static void left_in_memory(void) {
  char memory[1024];
  size_t bytes = 0;
  hid_t file = MUST(H5Fcreate("memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  numbers(file, "numbers", H5P_DEFAULT);
  hid_t group = MUST(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));

  hid_t type = MUST(H5Tcreate(H5T_COMPOUND, 12));
  MUST(H5Tinsert(type, "number", 4, H5T_NATIVE_DOUBLE));
  MUST(H5Tencode(type, NULL, &bytes));
  MUST(H5Tencode(type, memory, &bytes));
  hid_t same_type = MUST(H5Tdecode(memory));
  hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){100}, NULL));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){7}, NULL, (hsize_t[]){3}, NULL));
  bytes = sizeof memory;
  MUST(H5Sencode(space, memory, &bytes));
  hid_t same_space = MUST(H5Sdecode(memory));
  hid_t list = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(list, 1, (hsize_t[]){25}));
  bytes = sizeof memory;
  MUST(H5Pencode(list, memory, &bytes));
  hid_t same_list = MUST(H5Pdecode(memory));
  hid_t dataset =
      MUST(H5Dcreate2(group, "decoded", same_type, same_space, H5P_DEFAULT, same_list, H5P_DEFAULT));
  printf("%lld points are selected\n", (long long)MUST(H5Sget_select_npoints(same_space)));

  hobj_ref_t object;
  hdset_reg_ref_t region;
  H5O_type_t kind;
  MUST(H5Rcreate(&object, file, "numbers", H5R_OBJECT, -1));
  MUST(H5Rcreate(&region, file, "group/decoded", H5R_DATASET_REGION, space));
  MUST(H5Rget_obj_type2(group, H5R_OBJECT, &object, &kind));
  MUST(H5Rget_name(group, H5R_OBJECT, &object, memory, sizeof memory));
  hid_t referred = MUST(H5Rdereference2(group, H5P_DEFAULT, H5R_OBJECT, &object));
  MUST(H5Dclose(referred));
  hid_t selected = MUST(H5Rget_region(group, H5R_DATASET_REGION, &region));
  printf("and %lld referred to\n", (long long)MUST(H5Sget_select_npoints(selected)));

  const char *name = NULL, *path = NULL;
  H5L_info_t link;
  MUST(H5Lcreate_external("core.h5", "numbers", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Lget_info(file, "elsewhere", &link, H5P_DEFAULT));
  MUST(H5Lget_val(file, "elsewhere", memory, link.u.val_size, H5P_DEFAULT));
  MUST(H5Lunpack_elink_val(memory, link.u.val_size, NULL, &name, &path));
  putchar('\n');
  hid_t all[] = {dataset, same_list, list, selected, same_space, space, same_type, type, group, file};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) MUST(H5Idec_ref(all[i]));
}

static herr_t next_number(const void** data, size_t* bytes, void* extra) {
  static int number;
  (void)extra;
  ++number;
  *data = &number;
  *bytes = sizeof number;
  return 0;
}
static herr_t leave(const void* data, size_t bytes, void* extra) {
  return (void)data, (void)bytes, (void)extra, 0;
}

static void own_parts(void) {
  int values[100];
  int some[10];
  hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){100}, NULL));
  MUST(H5Dscatter(next_number, NULL, H5T_NATIVE_INT, space, values));
  MUST(H5Dgather(space, values, H5T_NATIVE_INT, sizeof some, some, leave, NULL));
  MUST(H5Sclose(space));
}

int main(void) {
  own_functions();
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  own_driver(access);
  MUST(H5Pset_fapl_core(access, 4096, 1));
  through("core.h5", access);
  MUST(H5Pset_fapl_multi(access, NULL, NULL, NULL, NULL, 1));
  through("multi", access);
  image(access);
  MUST(H5Pclose(access));
  H5E_BEGIN_TRY {
    H5Pclose(access); /* again, as some programs do when they clean up */
    H5Pclose(12345);
  }
  H5E_END_TRY;
  left_in_memory();
  own_parts();
  MUST(H5close());
  return 0;
}
