// What came with HDF5 1.12 and 1.14: functions under new numbers, references of another kind, tokens,
// transfers of several datasets at once, and asynchronous calls. Built with the default names of the header.
#include "every_hdf5.h"

#if H5_VERSION_GE(1, 12, 0)

static herr_t count_link(hid_t group, const char* name, const H5L_info2_t* info, void* count) {
  (void)group, (void)name, (void)info;
  ++*(int*)count;
  return 0;
}
static herr_t count_object(hid_t object, const char* name, const H5O_info2_t* info, void* count) {
  (void)object, (void)name, (void)info;
  ++*(int*)count;
  return 0;
}

static void use_later_links(hid_t file) {
  const hsize_t size = 4;
  int links = 0, objects = 0, order = 7;
  H5L_info1_t old_link;
  H5L_info2_t link;
  H5O_info2_t object;
  H5O_native_info_t native;
  H5O_token_t again;
  char* text = NULL;
  hid_t group = MUST(H5Gcreate2(file, "later", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dclose(make_numbers(group, "first", 1, &size)));
  MUST(H5Dclose(make_numbers(group, "second", 1, &size)));
  MUST(H5Lget_info1(group, "first", &old_link, H5P_DEFAULT));
  MUST(H5Lget_info2(group, "first", &link, H5P_DEFAULT));
  MUST(H5Lget_info_by_idx1(file, "later", H5_INDEX_NAME, H5_ITER_INC, 1, &old_link, H5P_DEFAULT));
  MUST(H5Lget_info_by_idx2(file, "later", H5_INDEX_NAME, H5_ITER_INC, 1, &link, H5P_DEFAULT));
  MUST(H5Literate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, count_link, &links));
  MUST(H5Literate_by_name2(file, "later", H5_INDEX_NAME, H5_ITER_INC, NULL, count_link, &links, H5P_DEFAULT));
  MUST(H5Lvisit2(group, H5_INDEX_NAME, H5_ITER_INC, count_link, &links));
  MUST(H5Lvisit_by_name2(file, "later", H5_INDEX_NAME, H5_ITER_INC, count_link, &links, H5P_DEFAULT));
  MUST(H5Ovisit3(group, H5_INDEX_NAME, H5_ITER_INC, count_object, &objects, H5O_INFO_BASIC));
  MUST(H5Ovisit_by_name3(file, "later", H5_INDEX_NAME, H5_ITER_INC, count_object, &objects, H5O_INFO_BASIC,
                         H5P_DEFAULT));
  MUST(H5Oget_info3(group, &object, H5O_INFO_BASIC));
  MUST(H5Oget_info_by_idx3(file, "later", H5_INDEX_NAME, H5_ITER_INC, 0, &object, H5O_INFO_ALL, H5P_DEFAULT));
  MUST(H5Oget_info_by_name3(file, "later/second", &object, H5O_INFO_BASIC, H5P_DEFAULT));
  MUST(H5Oget_native_info(group, &native, H5O_NATIVE_INFO_ALL));
  MUST(H5Oget_native_info_by_idx(file, "later", H5_INDEX_NAME, H5_ITER_INC, 0, &native, H5O_NATIVE_INFO_HDR,
                                 H5P_DEFAULT));
  MUST(H5Oget_native_info_by_name(file, "later/first", &native, H5O_NATIVE_INFO_HDR, H5P_DEFAULT));
  MUST(H5Otoken_to_str(file, &object.token, &text));
  MUST(H5Otoken_from_str(file, text, &again));
  MUST(H5Otoken_cmp(file, &object.token, &again, &order));
  H5free_memory(text);
  hid_t second = MUST(H5Oopen_by_token(file, object.token));
  note("later: %d links, %d objects, tokens differ by %d", links, objects, order);
  MUST(H5Oclose(second));
  MUST(H5Gclose(group));
}

static void use_later_references(hid_t file) {
  const hsize_t start = 1, count = 2, one = 1;
  char name[64];
  H5R_ref_t object, region, attribute, copy;
  H5O_type_t type;
  hid_t single = MUST(H5Screate_simple(1, &one, NULL));
  hid_t dataset = MUST(H5Dopen2(file, "later/first", H5P_DEFAULT));
  hid_t mark = MUST(H5Acreate2(dataset, "mark", H5T_NATIVE_INT, single, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Awrite(mark, H5T_NATIVE_INT, &rank));
  MUST(H5Aclose(mark));
  hid_t space = MUST(H5Dget_space(dataset));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  MUST(H5Rcreate_object(file, "later/first", H5P_DEFAULT, &object));
  MUST(H5Rcreate_region(file, "later/first", space, H5P_DEFAULT, &region));
  MUST(H5Rcreate_attr(file, "later/first", "mark", H5P_DEFAULT, &attribute));
  MUST(H5Rcopy(&object, &copy));
  MUST(H5Rget_obj_type3(&object, H5P_DEFAULT, &type));
  MUST(H5Rget_obj_name(&object, H5P_DEFAULT, name, sizeof name));
  note("later: reference of type %d to %s, equal to its copy: %d", (int)H5Rget_type(&region), name,
       (int)MUST(H5Requal(&object, &copy)));
  MUST(H5Rget_file_name(&object, name, sizeof name));
  MUST(H5Rget_attr_name(&attribute, name, sizeof name));
  hid_t opened = MUST(H5Ropen_object(&object, H5P_DEFAULT, H5P_DEFAULT));
  hid_t part = MUST(H5Ropen_region(&region, H5P_DEFAULT, H5P_DEFAULT));
  hid_t named = MUST(H5Ropen_attr(&attribute, H5P_DEFAULT, H5P_DEFAULT));
  note("later: %lld points, attribute %s", (long long)MUST(H5Sget_select_npoints(part)), name);
  MUST(H5Aclose(named));
  MUST(H5Sclose(part));
  MUST(H5Dclose(opened));
  MUST(H5Rdestroy(&copy));
  MUST(H5Rdestroy(&attribute));
  MUST(H5Rdestroy(&region));
  MUST(H5Rdestroy(&object));
  MUST(H5Sclose(space));
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(single));
}

static void use_later_spaces(hid_t file) {
  const hsize_t size = 16, start = 2, count = 3, stride = 4;
  size_t bytes = 0, sequences = 0, elements = 0, lengths[8];
  hsize_t offsets[8];
  hid_t space = MUST(H5Screate_simple(1, &size, NULL));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL));
  MUST(H5Sencode1(space, NULL, &bytes));
  MUST(H5Sencode2(space, NULL, &bytes, H5P_DEFAULT));
  void* encoded = malloc(bytes);
  MUST(H5Sencode2(space, encoded, &bytes, H5P_DEFAULT));
  hid_t decoded = MUST(H5Sdecode(encoded));
  free(encoded);
  hid_t iterator = MUST(H5Ssel_iter_create(space, sizeof(int), 0));
  MUST(H5Ssel_iter_get_seq_list(iterator, 8, 64, &sequences, &elements, offsets, lengths));
  MUST(H5Ssel_iter_reset(iterator, decoded));
  MUST(H5Ssel_iter_close(iterator));
  note("later: %zu sequences of %zu elements", sequences, elements);
  MUST(H5Sclose(decoded));
  MUST(H5Sclose(space));
  hid_t list = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pencode1(list, NULL, &bytes));
  MUST(H5Pencode2(list, NULL, &bytes, H5P_DEFAULT));
  encoded = malloc(bytes);
  MUST(H5Pencode2(list, encoded, &bytes, H5P_DEFAULT));
  hid_t same = MUST(H5Pdecode(encoded));
  note("later: lists are equal: %d", (int)MUST(H5Pequal(list, same)));
  free(encoded);
  MUST(H5Pclose(same));
  MUST(H5Pclose(list));
  hid_t type = MUST(H5Tvlen_create(H5T_NATIVE_INT));
  hid_t one = MUST(H5Screate(H5S_SCALAR));
  int values[3] = {1, 2, 3};
  hvl_t sequence = {3, values};
  hid_t dataset = MUST(H5Dcreate2(file, "later/variable", type, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &sequence));
  MUST(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &sequence));
  MUST(H5Treclaim(type, one, H5P_DEFAULT, &sequence));
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(one));
  MUST(H5Tclose(type));
}

static void use_connectors(hid_t file) {
  char name[64];
  hid_t connector = -1;
  void* info = NULL;
  unsigned long number = 0;
  MUST(H5Fget_fileno(file, &number));
  note("later: the native connector is there: %d, %d",
       (int)MUST(H5VLis_connector_registered_by_name("native")),
       (int)MUST(H5VLis_connector_registered_by_value(0)));
  hid_t own = MUST(H5VLget_connector_id(file));
  hid_t by_name = MUST(H5VLget_connector_id_by_name("native"));
  hid_t by_value = MUST(H5VLget_connector_id_by_value(0));
  MUST(H5VLget_connector_name(file, name, sizeof name));
  hid_t list = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_vol(list, by_name, NULL));
  MUST(H5Pget_vol_id(list, &connector));
  MUST(H5Pget_vol_info(list, &info));
  MUST(H5VLclose(connector));
  const char* path = own_name("deleted");
  hid_t gone = MUST(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list));
  MUST(H5Fclose(gone));
  note("later: by %s, a file that can be read: %d", name, (int)MUST(H5Fis_accessible(path, list)));
  MUST(H5Fdelete(path, list));
  MUST(H5Pclose(list));
  MUST(H5VLclose(by_value));
  MUST(H5VLclose(by_name));
  MUST(H5VLclose(own));
}

#endif
#if H5_VERSION_GE(1, 14, 0)

static int count_chunk(const hsize_t* offset, unsigned filters, haddr_t address, hsize_t bytes, void* count) {
  (void)offset, (void)filters, (void)address, (void)bytes;
  ++*(int*)count;
  return 0;
}

static void use_several(hid_t file) {
  const hsize_t sizes[3] = {8, 64, 16}, start = 4, half = 8;
  int small[8] = {0}, large[64] = {0}, part[16] = {0}, chunks = 0;
  hid_t datasets[3], types[3] = {H5T_NATIVE_INT, H5T_NATIVE_INT, -1}, memory[3] = {H5S_ALL, H5S_ALL, -1},
                     spaces[3] = {H5S_ALL, H5S_ALL, -1};
  const void* out[3] = {small, large, part};
  void* in[3] = {small, large, part};
  const char* names[3] = {"later/several0", "later/several1", "later/several2"};
  for (int i = 0; i < 3; ++i) datasets[i] = make_numbers(file, names[i], 1, &sizes[i]);
  types[2] = MUST(H5Tcopy(H5T_NATIVE_INT));
  memory[2] = MUST(H5Screate_simple(1, &sizes[2], NULL));
  spaces[2] = MUST(H5Dget_space(datasets[2]));
  MUST(H5Sselect_hyperslab(memory[2], H5S_SELECT_SET, &start, NULL, &half, NULL));
  MUST(H5Sselect_hyperslab(spaces[2], H5S_SELECT_SET, &start, NULL, &half, NULL));
  MUST(H5Dwrite_multi(3, datasets, types, memory, spaces, H5P_DEFAULT, out));
  MUST(H5Dread_multi(3, datasets, types, memory, spaces, H5P_DEFAULT, in));
  MUST(H5Dread_multi(1, datasets, types, memory, spaces, H5P_DEFAULT, in));
  MUST(H5Dchunk_iter(datasets[0], H5P_DEFAULT, count_chunk, &chunks) < 0 ? 0 : 0);
  MUST(H5Dwrite(datasets[2], H5T_NATIVE_INT, H5S_BLOCK, spaces[2], H5P_DEFAULT, part));
  MUST(H5Sclose(spaces[2]));
  MUST(H5Sclose(memory[2]));
  MUST(H5Tclose(types[2]));
  for (int i = 0; i < 3; ++i) MUST(H5Dclose(datasets[i]));
}

static void use_later_properties(void) {
  char text[64];
  hbool_t may = 0;
  uint32_t cause = 0;
  uint64_t flags = 0;
  H5D_selection_io_mode_t mode;
  const hsize_t start = 0, count = 4;
  hid_t access = MUST(H5Pcreate(H5P_FILE_ACCESS)), transfer = MUST(H5Pcreate(H5P_DATASET_XFER));
  MUST(H5Pset_libver_bounds(access, H5F_LIBVER_V112, H5F_LIBVER_V114));
  MUST(H5Pset_driver_by_name(access, "sec2", NULL));
  MUST(H5Pget_driver_config_str(access, text, sizeof text));
  MUST(H5Pset_driver_by_value(access, H5_VFD_SEC2, NULL));
  MUST(H5Pset_relax_file_integrity_checks(access, H5F_RFIC_UNUSUAL_NUM_UNUSED_NUMERIC_BITS));
  MUST(H5Pget_relax_file_integrity_checks(access, &flags));
  MUST(H5Pget_vol_cap_flags(access, &flags));
  MUST(H5Pset_selection_io(transfer, H5D_SELECTION_IO_MODE_ON));
  MUST(H5Pget_selection_io(transfer, &mode));
  MUST(H5Pget_no_selection_io_cause(transfer, &cause));
  MUST(H5Pget_actual_selection_io_mode(transfer, &cause));
  MUST(H5Pset_modify_write_buf(transfer, 1));
  MUST(H5Pget_modify_write_buf(transfer, &may));
  MUST(H5Pset_dataset_io_hyperslab_selection(transfer, 1, H5S_SELECT_SET, &start, NULL, &count, NULL));
  note("later: selections %d, buffers %d", (int)mode, (int)may);
  MUST(H5Pclose(transfer));
  MUST(H5Pclose(access));
}

static void use_events(void) {
  const hsize_t size = 32, larger = 64, most = H5S_UNLIMITED, chunk = 16;
  int values[64] = {0}, number = 5, links = 0;
  size_t left = 0, events = 0;
  hbool_t failed = 0, there = 0;
  uint64_t operations = 0;
  H5G_info_t group_info;
  H5O_info2_t object_info;
  hid_t set = MUST(H5EScreate());
  hid_t space = MUST(H5Screate_simple(1, &size, &most)), scalar = MUST(H5Screate(H5S_SCALAR));
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(creation, 1, &chunk));
  hid_t file = MUST(H5Fcreate_async(own_name("events"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT, set));
  hid_t group = MUST(H5Gcreate_async(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Gclose_async(group, set));
  group = MUST(H5Gopen_async(file, "group", H5P_DEFAULT, set));
  MUST(H5Gget_info_async(group, &group_info, set));
  MUST(H5Gget_info_by_name_async(file, "group", &group_info, H5P_DEFAULT, set));
  MUST(H5Gget_info_by_idx_async(file, "/", H5_INDEX_NAME, H5_ITER_INC, 0, &group_info, H5P_DEFAULT, set));
  hid_t dataset =
      MUST(H5Dcreate_async(group, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT, set));
  MUST(H5Dwrite_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values, set));
  MUST(H5Dwrite_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values, H5ES_NONE));
  MUST(H5Dset_extent_async(dataset, &larger, set));
  hid_t extent = MUST(H5Dget_space_async(dataset, set));
  MUST(H5Sclose(extent));
  MUST(H5Dread_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values, set));
  hid_t types[1] = {H5T_NATIVE_INT}, all[1] = {H5S_ALL};
  void* in[1] = {values};
  const void* out[1] = {values};
  MUST(H5Dwrite_multi_async(1, &dataset, types, all, all, H5P_DEFAULT, out, set));
  MUST(H5Dread_multi_async(1, &dataset, types, all, all, H5P_DEFAULT, in, set));
  MUST(H5Dclose_async(dataset, set));
  dataset = MUST(H5Dopen_async(group, "numbers", H5P_DEFAULT, set));
  hid_t attribute =
      MUST(H5Acreate_async(dataset, "number", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Awrite_async(attribute, H5T_NATIVE_INT, &number, set));
  MUST(H5Aread_async(attribute, H5T_NATIVE_INT, &number, set));
  MUST(H5Aclose_async(attribute, set));
  attribute = MUST(H5Acreate_by_name_async(group, "numbers", "other", H5T_NATIVE_INT, scalar, H5P_DEFAULT,
                                           H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Aclose_async(attribute, set));
  MUST(H5Aexists_async(dataset, "number", &there, set));
  MUST(H5Aexists_by_name_async(group, "numbers", "other", &there, H5P_DEFAULT, set));
  MUST(H5Arename_async(dataset, "other", "another", set));
  MUST(H5Arename_by_name_async(group, "numbers", "another", "third", H5P_DEFAULT, set));
  MUST(H5Aclose_async(MUST(H5Aopen_async(dataset, "number", H5P_DEFAULT, set)), set));
  MUST(H5Aclose_async(MUST(H5Aopen_by_name_async(group, "numbers", "third", H5P_DEFAULT, H5P_DEFAULT, set)),
                      set));
  MUST(H5Aclose_async(MUST(H5Aopen_by_idx_async(group, "numbers", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT,
                                                H5P_DEFAULT, set)),
                      set));
  MUST(H5Lcreate_hard_async(group, "numbers", file, "hard", H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Lcreate_soft_async("group/numbers", file, "soft", H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Lexists_async(file, "soft", &there, H5P_DEFAULT, set));
  MUST(H5Literate_async(file, H5_INDEX_NAME, H5_ITER_INC, NULL, count_link, &links, set));
  MUST(H5Ldelete_async(file, "soft", H5P_DEFAULT, set));
  MUST(H5Oget_info_by_name_async(file, "hard", &object_info, H5O_INFO_BASIC, H5P_DEFAULT, set));
  MUST(H5Ocopy_async(file, "hard", file, "copied", H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Oclose_async(MUST(H5Oopen_async(file, "copied", H5P_DEFAULT, set)), set));
  hid_t first = MUST(H5Oopen_by_idx_async(file, "/", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, set));
  MUST(H5Oflush_async(first, set));
  MUST(H5Orefresh_async(first, set));
  MUST(H5Oclose_async(first, set));
  MUST(H5Ldelete_by_idx_async(file, "/", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, set));
  hid_t type = MUST(H5Tcopy(H5T_NATIVE_INT));
  MUST(H5Tcommit_async(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, set));
  MUST(H5Tclose_async(type, set));
  MUST(H5Tclose_async(MUST(H5Topen_async(file, "type", H5P_DEFAULT, set)), set));
  H5R_ref_t reference;
  MUST(H5Rcreate_object(file, "hard", H5P_DEFAULT, &reference));
  MUST(H5Dclose_async(MUST(H5Ropen_object_async(&reference, H5P_DEFAULT, H5P_DEFAULT, set)), set));
  MUST(H5Rdestroy(&reference));
  MUST(H5Fflush_async(file, H5F_SCOPE_LOCAL, set));
  MUST(H5Fclose_async(MUST(H5Freopen_async(file, set)), set));
  MUST(H5Dclose_async(dataset, set));
  MUST(H5Gclose_async(group, set));
  MUST(H5Fclose_async(file, set));
  MUST(H5ESget_count(set, &events));
  MUST(H5ESget_op_counter(set, &operations));
  MUST(H5ESget_err_status(set, &failed));
  MUST(H5ESget_err_count(set, &left));
  MUST(H5ESwait(set, H5ES_WAIT_FOREVER, &left, &failed));
  MUST(H5EScancel(set, &left, &failed));
  file = MUST(H5Fopen_async(own_name("events"), H5F_ACC_RDONLY, H5P_DEFAULT, set));
  MUST(H5Fclose_async(file, set));
  note("later: %d links, %zu events left, failed %d, there %d", links, left, (int)failed, (int)there);
  MUST(H5ESclose(set));
  MUST(H5Pclose(creation));
  MUST(H5Sclose(scalar));
  MUST(H5Sclose(space));
}

#endif

void use_later_functions(hid_t file) {
  (void)file;
#if H5_VERSION_GE(1, 12, 0)
  use_later_links(file);
  use_later_references(file);
  use_later_spaces(file);
  use_connectors(file);
#endif
#if H5_VERSION_GE(1, 14, 0)
  use_several(file);
  use_later_properties();
  use_events();
#endif
}
