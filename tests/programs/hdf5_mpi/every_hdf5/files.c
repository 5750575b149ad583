// Files as a whole (H5F): properties, what is open in them, mounting, images; and every driver of the
// library.
#include "every_hdf5.h"

static hid_t create_with_properties(void) {
  hid_t creation = MUST(H5Pcreate(H5P_FILE_CREATE));
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_userblock(creation, 512));
  MUST(H5Pset_sizes(creation, 8, 8));
  MUST(H5Pset_sym_k(creation, 16, 8));
  MUST(H5Pset_istore_k(creation, 64));
  MUST(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  MUST(H5Pset_attr_phase_change(creation, 6, 4));
  MUST(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_FSM_AGGR, 0, 1));
  MUST(H5Pset_alignment(access, 4096, 512));
  MUST(H5Pset_cache(access, 0, 521, 1048576, 0.5));
  MUST(H5Pset_meta_block_size(access, 4096));
  MUST(H5Pset_sieve_buf_size(access, 65536));
  MUST(H5Pset_small_data_block_size(access, 2048));
  MUST(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110));
  MUST(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  MUST(H5Pset_gc_references(access, 1));
  hid_t file = MUST(H5Fcreate(own_name("properties"), H5F_ACC_TRUNC, creation, access));
  MUST(H5Pclose(access));
  MUST(H5Pclose(creation));
  return file;
}

static void describe(hid_t file) {
  hsize_t size = 0;
  unsigned intent = 0;
  char name[64];
  H5F_info2_t info;
  hid_t objects[4];
  void* handle = NULL;
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  double hits = 0;
  MUST(H5Fflush(file, H5F_SCOPE_LOCAL));
  MUST(H5Fget_filesize(file, &size));
  MUST(H5Fget_intent(file, &intent));
  MUST(H5Fget_name(file, name, sizeof name));
  MUST(H5Fget_freespace(file));
  MUST(H5Fget_info2(file, &info));
  MUST(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle));
  MUST(H5Fget_mdc_config(file, &cache));
  MUST(H5Fset_mdc_config(file, &cache));
  MUST(H5Fget_mdc_hit_rate(file, &hits));
  MUST(H5Freset_mdc_hit_rate_stats(file));
  long long open = MUST(H5Fget_obj_count(file, H5F_OBJ_ALL));
  MUST(H5Fget_obj_ids(file, H5F_OBJ_ALL, 4, objects));
  hid_t creation = MUST(H5Fget_create_plist(file));
  hid_t access = MUST(H5Fget_access_plist(file));
  hsize_t userblock = 0;
  MUST(H5Pget_userblock(creation, &userblock));
  MUST(H5Pclose(access));
  MUST(H5Pclose(creation));
  note("file: %llu bytes and more: %d, intent %u, %lld open, user block %llu", 512ULL, size > 512, intent,
       open, (unsigned long long)userblock);
}

static void mount(hid_t file) {
  hid_t group = MUST(H5Gcreate2(file, "mount point", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t access = MUST(H5Fget_access_plist(file));
  hid_t child = MUST(H5Fcreate(own_name("child"), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  MUST(H5Pclose(access));
  MUST(H5Gclose(MUST(H5Gcreate2(child, "inside", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))));
  MUST(H5Fmount(file, "mount point", child, H5P_DEFAULT));
  MUST(H5Gclose(MUST(H5Gopen2(file, "mount point/inside", H5P_DEFAULT))));
  MUST(H5Funmount(file, "mount point"));
  MUST(H5Fclose(child));
  MUST(H5Gclose(group));
}

void use_files(void) {
  hid_t file = create_with_properties();
  const hsize_t size[2] = {6, 4};
  MUST(H5Dclose(make_numbers(file, "numbers", 2, size)));
  describe(file);
  mount(file);
  hid_t again = MUST(H5Freopen(file));
  MUST(H5Fclose(again));
  MUST(H5Fclose(file));
  note("is HDF5: %lld", (long long)MUST(H5Fis_hdf5(own_name("properties"))));
  file = MUST(H5Fopen(own_name("properties"), H5F_ACC_RDONLY, H5P_DEFAULT));
  MUST(H5Fclose(file));
  MUST_FAIL(H5Fopen("there is no such file", H5F_ACC_RDONLY, H5P_DEFAULT));
  MUST_FAIL(H5Fcreate(own_name("properties"), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT));
}

// Writes a dataset through the driver that is set, and reads it again.
static void write_through(const char* what, const char* name, hid_t access) {
  const hsize_t size[1] = {3000};
  int values[3000];
  hid_t file = MUST(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  MUST(H5Dclose(make_numbers(file, "numbers", 1, size)));
  MUST(H5Fclose(file));
  file = MUST(H5Fopen(name, H5F_ACC_RDWR, access));
  hid_t dataset = MUST(H5Dopen2(file, "numbers", H5P_DEFAULT));
  MUST(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dclose(dataset));
  MUST(H5Fclose(file));
  note("driver %s: last value %d", what, values[2999]);
}

static void use_image(void) {
  const hsize_t size[1] = {10};
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_fapl_core(access, 65536, 0));
  hid_t file = MUST(H5Fcreate(own_name("in_memory_only"), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  MUST(H5Dclose(make_numbers(file, "numbers", 1, size)));
  MUST(H5Fflush(file, H5F_SCOPE_GLOBAL));
  long long bytes = MUST(H5Fget_file_image(file, NULL, 0));
  void* image = malloc((size_t)bytes);
  MUST(H5Fget_file_image(file, image, (size_t)bytes));
  MUST(H5Fclose(file));
  MUST(H5Pset_file_image(access, image, (size_t)bytes));
  file = MUST(H5Fopen(own_name("in_memory_only"), H5F_ACC_RDONLY, access));
  MUST(H5Dclose(MUST(H5Dopen2(file, "numbers", H5P_DEFAULT))));
  MUST(H5Fclose(file));
  free(image);
  MUST(H5Pclose(access));
}

void use_drivers(void) {
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS));
  char name[64];
  MUST(H5Pset_fapl_sec2(access));
  write_through("sec2", own_name("sec2"), access);
  MUST(H5Pset_fapl_stdio(access));
  write_through("stdio", own_name("stdio"), access);
  MUST(H5Pset_fapl_core(access, 4096, 1));
  MUST(H5Pset_core_write_tracking(access, 1, 512));
  write_through("core", own_name("core"), access);
  MUST(H5Pset_fapl_family(access, 8192, H5P_DEFAULT));
  snprintf(name, sizeof name, "family_%d_%%02d.h5", rank);
  write_through("family", name, access);
  MUST(H5Pset_fapl_split(access, "-meta.h5", H5P_DEFAULT, "-raw.h5", H5P_DEFAULT));
  snprintf(name, sizeof name, "split_%d", rank);
  write_through("split", name, access);
  MUST(H5Pset_fapl_multi(access, NULL, NULL, NULL, NULL, 1));
  snprintf(name, sizeof name, "multi_%d", rank);
  write_through("multi", name, access);
  note("driver is multi: %d", MUST(H5Pget_driver(access)) == H5FD_MULTI);
  MUST(H5Pclose(access));
  use_image();
}
