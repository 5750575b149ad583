// What few applications call: links of a kind of one's own, plugin paths, searches among identifiers,
// metadata that is held back, error stacks of the older kind.
#include "every_hdf5.h"

enum { our_link = 70 };

static hid_t follow(const char* name, hid_t group, const void* data, size_t bytes, hid_t access,
                    hid_t transfer) {
  (void)name, (void)data, (void)bytes, (void)transfer;
  return H5Oopen(group, "numbers", access);
}

static void own_links(hid_t file) {
  const H5L_class_t class = {
      H5L_LINK_CLASS_T_VERS, (H5L_type_t)our_link, "ours", NULL, NULL, NULL, follow, NULL, NULL};
  MUST(H5Lregister(&class));
  MUST(H5Lcreate_ud(file, "links/ours", (H5L_type_t)our_link, "data", 5, H5P_DEFAULT, H5P_DEFAULT));
  hid_t object = MUST(H5Oopen(file, "links/ours", H5P_DEFAULT));
  note("our link leads to type %d", (int)H5Iget_type(object));
  MUST(H5Oclose(object));
  MUST(H5Ldelete(file, "links/ours", H5P_DEFAULT));
  MUST(H5Lunregister((H5L_type_t)our_link));
}

static void plugin_paths(void) {
  unsigned before = 0;
  unsigned after = 0;
  unsigned mask = 0;
  char path[64];
  MUST(H5PLget_loading_state(&mask));
  MUST(H5PLset_loading_state(mask));
  MUST(H5PLsize(&before));
  MUST(H5PLappend("/nowhere/last"));
  MUST(H5PLprepend("/nowhere/first"));
  MUST(H5PLinsert("/nowhere/second", 1));
  MUST(H5PLreplace("/nowhere/other", 1));
  MUST(H5PLsize(&after));
  MUST(H5PLget(1, path, sizeof path));
  note("%u more plugin paths, second %s", after - before, path);
  MUST(H5PLremove(after - 1));
  MUST(H5PLremove(1));
  MUST(H5PLremove(0));
}

static void held_back(hid_t file) {
  hbool_t held = 0;
  hid_t dataset = MUST(H5Dopen2(file, "dataset", H5P_DEFAULT));
  MUST(H5Odisable_mdc_flushes(dataset));
  MUST(H5Oare_mdc_flushes_disabled(dataset, &held));
  note("flushes held back: %d", (int)held);
  MUST(H5Oenable_mdc_flushes(dataset));
  MUST(H5Dclose(dataset));
}

static void types(void) {
  H5T_cdata_t* path = NULL;
  const hsize_t size[2] = {2, 3};
  hid_t array = MUST(H5Tarray_create2(H5T_NATIVE_INT, 2, size));
  note("conversion found: %d, array of %lld dimensions, strings end with %d in set %d",
       H5Tfind(H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, &path) != NULL, (long long)MUST(H5Tget_array_ndims(array)),
       (int)H5Tget_strpad(H5T_C_S1), (int)H5Tget_cset(H5T_C_S1));
  MUST(H5Tclose(array));
}

static herr_t count_error(int level, H5E_error1_t* error, void* counter) {
  (void)level, (void)error;
  ++*(int*)counter;
  return 0;
}

static void older_errors(void) {
  H5E_auto1_t print = NULL;
  void* where = NULL;
  unsigned second = 0;
  int errors = 0;
  H5E_auto2_t kept = NULL;
  void* kept_where = NULL;
  MUST(H5Eget_auto2(H5E_DEFAULT, &kept, &kept_where));
  MUST(H5Eset_auto1(NULL, NULL));
  MUST(H5Eget_auto1(&print, &where));
  MUST(H5Eauto_is_v2(H5E_DEFAULT, &second));
  MUST(H5Epush1(__FILE__, __func__, 1, H5E_ARGS, H5E_BADVALUE, "an older error"));
  MUST(H5Ewalk1(H5E_WALK_UPWARD, count_error, &errors));
  note("older errors: %d, handler of version 2: %u", errors, second);
  MUST(H5Eclear1());
  MUST(H5Eset_auto2(H5E_DEFAULT, kept, kept_where));
}

static int is_wanted(void* object, hid_t id, void* wanted) {
  (void)id;
  return object == wanted;
}

static herr_t free_nothing(void* object) {
  (void)object;
  return 0;
}

static void search_identifiers(void) {
  int thing = 0;
  H5I_type_t ours = H5Iregister_type(16, 0, (H5I_free_t)(void (*)(void))free_nothing);
  MUST(H5Iinc_type_ref(ours));
  MUST(H5Iregister(ours, &thing));
  note("found by searching: %d, %lld references", H5Isearch(ours, is_wanted, &thing) == &thing,
       (long long)MUST(H5Iget_type_ref(ours)));
  MUST(H5Idec_type_ref(ours));
  MUST(H5Idestroy_type(ours));
}

static void file_details(hid_t file) {
  size_t sizes[3];
  int entries = 0;
  haddr_t end = 0;
  H5F_retry_info_t retries = {0, {NULL}};
  H5F_info1_t info;
  MUST(H5Fget_mdc_size(file, &sizes[0], &sizes[1], &sizes[2], &entries));
  MUST(H5Fget_eoa(file, &end));
  MUST(H5Fget_metadata_read_retry_info(file, &retries));
  MUST(H5Fget_info1(file, &info));
  MUST(H5Fclear_elink_file_cache(file));
  MUST(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_V110));
  note("file has an end: %d, free sections: %d", end != HADDR_UNDEF,
       H5Fget_free_sections(file, H5FD_MEM_DEFAULT, 0, NULL) >= 0);
}

void use_rare_functions(hid_t file) {
  own_links(file);
  plugin_paths();
  held_back(file);
  types();
  search_identifiers();
  file_details(file);
  older_errors();
}
