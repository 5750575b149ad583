// The functions of older versions (their names end in 1, or were replaced by H5L and H5O), which applications
// of that age still call.
#include "every_hdf5.h"

static herr_t count_member(hid_t group, const char* name, void* counter) {
  (void)group, (void)name;
  ++*(int*)counter;
  return 0;
}

static herr_t count_attribute(hid_t object, const char* name, void* counter) {
  (void)object, (void)name;
  ++*(int*)counter;
  return 0;
}

static void older_links(hid_t file) {
  H5G_stat_t info;
  hsize_t members = 0;
  char text[64];
  int counter = 0;
  int next = 0;
  MUST(H5Glink(file, H5G_LINK_HARD, "older/dataset", "older/hard"));
  MUST(H5Glink2(file, "/older/dataset", H5G_LINK_SOFT, file, "older/soft"));
  MUST(H5Gmove(file, "older/hard", "older/moved"));
  MUST(H5Gmove2(file, "older/moved", file, "older/moved again"));
  MUST(H5Gget_linkval(file, "older/soft", sizeof text, text));
  MUST(H5Gget_objinfo(file, "older/dataset", 1, &info));
  note("older link to %s, object of type %d", text, (int)info.type);
  MUST(H5Gset_comment(file, "older", "long ago"));
  MUST(H5Gget_comment(file, "older", sizeof text, text));
  hid_t group = MUST(H5Gopen1(file, "older"));
  MUST(H5Gget_num_objs(group, &members));
  MUST(H5Gget_objname_by_idx(group, 0, text, sizeof text));
  note("older group: %llu members, first %s of type %d", (unsigned long long)members, text,
       (int)H5Gget_objtype_by_idx(group, 0));
  MUST(H5Giterate(file, "older", &next, count_member, &counter));
  MUST(H5Gunlink(file, "older/moved again"));
  MUST(H5Gclose(group));
  note("iterated over %d of them", counter);
}

static void older_attributes(hid_t dataset) {
  const int value = 3;
  unsigned next = 0;
  int counter = 0;
  hid_t space = MUST(H5Screate(H5S_SCALAR));
  hid_t attribute = MUST(H5Acreate1(dataset, "age", H5T_NATIVE_INT, space, H5P_DEFAULT));
  MUST(H5Awrite(attribute, H5T_NATIVE_INT, &value));
  MUST(H5Aclose(attribute));
  MUST(H5Aclose(MUST(H5Aopen_name(dataset, "age"))));
  MUST(H5Aclose(MUST(H5Aopen_idx(dataset, 0))));
  MUST(H5Aiterate1(dataset, &next, count_attribute, &counter));
  note("older attributes: %lld, iterated over %d", (long long)MUST(H5Aget_num_attrs(dataset)), counter);
  MUST(H5Sclose(space));
}

void use_older_functions(hid_t file) {
  const hsize_t size[1] = {6};
  const hsize_t most[1] = {H5S_UNLIMITED};
  const hsize_t more[1] = {9};
  MUST(H5Gclose(MUST(H5Gcreate1(file, "older", 0))));
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(creation, 1, size));
  hid_t space = MUST(H5Screate_simple(1, size, most));
  hid_t dataset = MUST(H5Dcreate1(file, "older/dataset", H5T_NATIVE_INT, space, creation));
  MUST(H5Dextend(dataset, more));
  MUST(H5Sclose(space));
  MUST(H5Pclose(creation));
  MUST(H5Dclose(dataset));
  dataset = MUST(H5Dopen1(file, "older/dataset"));
  older_attributes(dataset);
  MUST(H5Dclose(dataset));
  older_links(file);

  hobj_ref_t object = 0;
  MUST(H5Rcreate(&object, file, "older", H5R_OBJECT, -1));
  hid_t opened = MUST(H5Rdereference1(file, H5R_OBJECT, &object));
  note("older reference to type %d", (int)H5Rget_obj_type1(file, H5R_OBJECT, &object));
  MUST(H5Gclose(opened));
  hid_t type = MUST(H5Tarray_create1(H5T_NATIVE_INT, 1, size, NULL));
  MUST(H5Tget_array_dims1(type, (hsize_t[1]){0}, NULL));
  MUST(H5Tcommit1(file, "older/type", type));
  MUST(H5Tclose(type));
  MUST(H5Tclose(MUST(H5Topen1(file, "older/type"))));
}
