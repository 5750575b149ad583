// Property lists and classes as such (H5P).
#include "every_hdf5.h"

static herr_t count_property(hid_t list, const char* name, void* counter) {
  (void)list, (void)name;
  ++*(int*)counter;
  return 0;
}

void use_property_lists(void) {
  const hsize_t chunk[2] = {5, 7};
  hsize_t found[2];
  double splits[3];
  int value = 4;
  int counter = 0;
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(creation, 2, chunk));
  MUST(H5Pget_chunk(creation, 2, found));
  MUST(H5Pset_obj_track_times(creation, 0));
  MUST(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED));
  hid_t copy = MUST(H5Pcopy(creation));
  MUST(H5Pinsert2(copy, "ours", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  value = 9;
  MUST(H5Pset(copy, "ours", &value));
  MUST(H5Pget(copy, "ours", &value));
  note("equal: %lld, ours %d, layout %d, chunk %llu", (long long)MUST(H5Pequal(copy, creation)), value,
       (int)H5Pget_layout(creation), (unsigned long long)found[1]);
  MUST(H5Piterate(copy, NULL, count_property, &counter));
  note("exists %lld, iterated over some: %d", (long long)MUST(H5Pexist(copy, "ours")), counter > 1);
  MUST(H5Premove(copy, "ours"));
  size_t bytes = 0;
  MUST(H5Pencode(creation, NULL, &bytes));
  void* text = malloc(bytes);
  MUST(H5Pencode(creation, text, &bytes));
  hid_t decoded = MUST(H5Pdecode(text));
  free(text);
  MUST(H5Pclose(decoded));
  MUST(H5Pclose(copy));
  MUST(H5Pclose(creation));

  hid_t transfer = MUST(H5Pcreate(H5P_DATASET_XFER));
  MUST(H5Pset_btree_ratios(transfer, 0.1, 0.5, 0.9));
  MUST(H5Pget_btree_ratios(transfer, &splits[0], &splits[1], &splits[2]));
  MUST(H5Pset_data_transform(transfer, "2*x"));
  MUST(H5Pset_preserve(transfer, 1));
  MUST(H5Pclose(transfer));
  hid_t access = MUST(H5Pcreate(H5P_DATASET_ACCESS));
  MUST(H5Pset_chunk_cache(access, 101, 65536, 0.75));
  MUST(H5Pset_efile_prefix(access, "."));
  MUST(H5Pset_virtual_view(access, H5D_VDS_LAST_AVAILABLE));
  MUST(H5Pclose(access));
}

void use_property_classes(void) {
  int value = 3;
  size_t bytes = 0;
  size_t count = 0;
  hid_t class = MUST(H5Pcreate_class(H5P_ROOT, "our class", NULL, NULL, NULL, NULL, NULL, NULL));
  MUST(H5Pregister2(class, "depth", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  MUST(H5Pget_size(class, "depth", &bytes));
  MUST(H5Pget_nprops(class, &count));
  hid_t list = MUST(H5Pcreate(class));
  hid_t other = MUST(H5Pcreate(class));
  hid_t found = MUST(H5Pget_class(list));
  hid_t parent = MUST(H5Pget_class_parent(class));
  char* name = H5Pget_class_name(found);
  note("%s: %zu property of %zu bytes, is one: %lld", name, count, bytes,
       (long long)MUST(H5Pisa_class(list, class)));
  MUST(H5free_memory(name));
  MUST(H5Pcopy_prop(other, list, "depth"));
  MUST(H5Pclose_class(parent));
  MUST(H5Pclose_class(found));
  MUST(H5Pclose(other));
  MUST(H5Pclose(list));
  MUST(H5Punregister(class, "depth"));
  MUST(H5Pclose_class(class));
}
