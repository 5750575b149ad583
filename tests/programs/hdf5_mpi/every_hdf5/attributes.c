// Attributes (H5A): by object, by name, by index; renamed, deleted, iterated over.
#include "every_hdf5.h"

static void put(hid_t object, const char* name, int value) {
  hid_t space = MUST(H5Screate(H5S_SCALAR));
  hid_t attribute = MUST(H5Acreate2(object, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Awrite(attribute, H5T_NATIVE_INT, &value));
  MUST(H5Aclose(attribute));
  MUST(H5Sclose(space));
}

static herr_t count_letters(hid_t object, const char* name, const H5A_info_t* info, void* counter) {
  (void)object, (void)info;
  *(long long*)counter += (long long)strlen(name);
  return 0;
}

static void describe(hid_t group) {
  H5A_info_t info;
  char name[32];
  int value = 0;
  hid_t attribute = MUST(H5Aopen(group, "beta", H5P_DEFAULT));
  MUST(H5Aread(attribute, H5T_NATIVE_INT, &value));
  MUST(H5Aget_info(attribute, &info));
  MUST(H5Aget_name(attribute, sizeof name, name));
  note("attribute %s = %d, %llu bytes, stored %llu", name, value, (unsigned long long)info.data_size,
       (unsigned long long)H5Aget_storage_size(attribute));
  MUST(H5Sclose(MUST(H5Aget_space(attribute))));
  MUST(H5Tclose(MUST(H5Aget_type(attribute))));
  MUST(H5Pclose(MUST(H5Aget_create_plist(attribute))));
  MUST(H5Aclose(attribute));
}

static void by_name_and_index(hid_t file) {
  H5A_info_t info;
  char name[32];
  hid_t space = MUST(H5Screate(H5S_SCALAR));
  MUST(H5Aclose(MUST(H5Acreate_by_name(file, "attributes", "zeta", H5T_NATIVE_FLOAT, space, H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT))));
  MUST(H5Sclose(space));
  MUST(H5Aclose(MUST(H5Aopen_by_name(file, "attributes", "zeta", H5P_DEFAULT, H5P_DEFAULT))));
  MUST(H5Aclose(
      MUST(H5Aopen_by_idx(file, "attributes", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, H5P_DEFAULT))));
  MUST(H5Aget_info_by_name(file, "attributes", "zeta", &info, H5P_DEFAULT));
  MUST(H5Aget_info_by_idx(file, "attributes", H5_INDEX_NAME, H5_ITER_INC, 0, &info, H5P_DEFAULT));
  MUST(H5Aget_name_by_idx(file, "attributes", H5_INDEX_NAME, H5_ITER_DEC, 0, name, sizeof name, H5P_DEFAULT));
  note("last attribute %s, exists %lld", name,
       (long long)MUST(H5Aexists_by_name(file, "attributes", "zeta", H5P_DEFAULT)));
  MUST(H5Arename_by_name(file, "attributes", "zeta", "eta", H5P_DEFAULT));
  MUST(H5Adelete_by_name(file, "attributes", "eta", H5P_DEFAULT));
  MUST(H5Adelete_by_idx(file, "attributes", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT));
}

void use_attributes(hid_t file) {
  const hsize_t three = 3;
  const double values[3] = {0.5, 1.5, 2.5};
  long long letters = 0;
  hsize_t next = 0;
  hid_t group = MUST(H5Gcreate2(file, "attributes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  put(group, "alpha", 1);
  put(group, "beta", 2);
  put(group, "gamma", 3);
  hid_t creation = MUST(H5Pcreate(H5P_ATTRIBUTE_CREATE));
  MUST(H5Pset_char_encoding(creation, H5T_CSET_UTF8));
  hid_t space = MUST(H5Screate_simple(1, &three, NULL));
  hid_t attribute = MUST(H5Acreate2(group, "vector", H5T_NATIVE_DOUBLE, space, creation, H5P_DEFAULT));
  MUST(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values));
  MUST(H5Aclose(attribute));
  MUST(H5Sclose(space));
  MUST(H5Pclose(creation));
  describe(group);
  by_name_and_index(file);
  MUST(H5Arename(group, "gamma", "delta"));
  note("exist: %lld, %lld", (long long)MUST(H5Aexists(group, "gamma")),
       (long long)MUST(H5Aexists(group, "delta")));
  MUST(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &next, count_letters, &letters));
  next = 0;
  MUST(H5Aiterate_by_name(file, "attributes", H5_INDEX_NAME, H5_ITER_DEC, &next, count_letters, &letters,
                          H5P_DEFAULT));
  note("%llu attributes, %lld letters in two walks", (unsigned long long)next, letters);
  MUST(H5Adelete(group, "vector"));
  MUST_FAIL(H5Aopen(group, "vector", H5P_DEFAULT));
  MUST(H5Gclose(group));
}
