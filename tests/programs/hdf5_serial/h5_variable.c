// Data of variable length: sequences, strings, references to objects, and these inside each other, in
// datasets and attributes, all of them and selected ones. The values are what kernels write.
#include <stdlib.h>
#include <string.h>

#include "../checked_hdf5.h"

struct mixed {
  int number;
  char* text;
  hvl_t pairs[2];
  hobj_ref_t object;
};

static hid_t file, some_dataset;

static void* pattern(size_t bytes) {
  char* all = malloc(bytes + 1);
  for (size_t i = 0; i < bytes; ++i) all[i] = (char)('a' + i % 23);
  all[bytes] = 0;
  return all;
}

static void sequences(void) {
  hvl_t rows[5];
  int* numbers = pattern(20 * sizeof *numbers);
  for (size_t i = 0; i < 5; ++i) rows[i] = (hvl_t){i * 3 % 7, numbers};
  hid_t type = MUST(H5Tvlen_create(H5T_NATIVE_INT)), space = MUST(H5Screate_simple(1, (hsize_t[]){5}, NULL));
  hid_t set = MUST(H5Dcreate2(file, "sequences", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){1}, (hsize_t[]){2}, (hsize_t[]){2}, NULL));
  rows[0] = (hvl_t){1000000, NULL}; /* not selected */
  rows[1].len = 9, rows[3].len = 10;
  MUST(H5Dwrite(set, type, space, space, H5P_DEFAULT, rows));
  some_dataset = set;
  hid_t nested = MUST(H5Tvlen_create(type)), one = MUST(H5Screate(H5S_SCALAR));
  hvl_t all = {3, rows + 2};
  hid_t attribute = MUST(H5Acreate2(set, "nested", nested, one, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Awrite(attribute, nested, &all));
  MUST(H5Aclose(attribute));
  MUST(H5Sclose(one));
  MUST(H5Sclose(space));
  MUST(H5Tclose(nested));
  MUST(H5Tclose(type));
}

static void strings(void) {
  const char* texts[] = {"a", "", "abcdefghijklmnop", NULL};
  hid_t type = MUST(H5Tcopy(H5T_C_S1)), space = MUST(H5Screate_simple(1, (hsize_t[]){4}, NULL));
  MUST(H5Tset_size(type, H5T_VARIABLE));
  hid_t set = MUST(H5Dcreate2(file, "strings", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts));
  for (int i = 0; i < 3; ++i) {
    char name[] = "text0";
    name[4] = (char)('0' + i);
    hid_t one = MUST(H5Screate(H5S_SCALAR));
    hid_t attribute = MUST(H5Acreate2(set, name, type, one, H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Awrite(attribute, type, &texts[i]));
    MUST(H5Aclose(attribute));
    MUST(H5Sclose(one));
  }
  MUST(H5Dclose(set));
  MUST(H5Sclose(space));
  MUST(H5Tclose(type));
}

static void references(void) {
  hobj_ref_t objects[3] = {0};
  MUST(H5Rcreate(&objects[0], file, "sequences", H5R_OBJECT, -1));
  MUST(H5Rcreate(&objects[2], file, "strings", H5R_OBJECT, -1));
  hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){3}, NULL)), type = MUST(H5Tvlen_create(H5T_STD_REF_OBJ));
  hid_t set =
      MUST(H5Dcreate2(file, "references", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, objects));
  hvl_t lists[3] = {{1, objects}, {2, objects + 1}, {0, NULL}}; /* as dimension scales are attached */
  hid_t attribute = MUST(H5Acreate2(set, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Awrite(attribute, type, lists));
  MUST(H5Aclose(attribute));
  MUST(H5Dclose(set));
  MUST(H5Tclose(type));
  MUST(H5Sclose(space));
}

static void structures(void) {
  double* values = pattern(12 * sizeof *values);
  hobj_ref_t object;
  MUST(H5Rcreate(&object, file, "references", H5R_OBJECT, -1));
  hid_t text = MUST(H5Tcopy(H5T_C_S1)), pair = MUST(H5Tvlen_create(H5T_NATIVE_DOUBLE));
  MUST(H5Tset_size(text, H5T_VARIABLE));
  hid_t pairs = MUST(H5Tarray_create2(pair, 1, (hsize_t[]){2}));
  hid_t type = MUST(H5Tcreate(H5T_COMPOUND, sizeof(struct mixed)));
  MUST(H5Tinsert(type, "number", HOFFSET(struct mixed, number), H5T_NATIVE_INT));
  MUST(H5Tinsert(type, "text", HOFFSET(struct mixed, text), text));
  MUST(H5Tinsert(type, "pairs", HOFFSET(struct mixed, pairs), pairs));
  MUST(H5Tinsert(type, "object", HOFFSET(struct mixed, object), H5T_STD_REF_OBJ));
  struct mixed* all = calloc(100, sizeof *all);
  for (size_t i = 0; i < 100; ++i)
    all[i] = (struct mixed){0, pattern(i % 30), {{i % 12, values}, {i % 5, values}}, i % 2 ? object : 0};
  hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){100}, NULL));
  hid_t set = MUST(H5Dcreate2(file, "structures", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all));
  free(all);
  MUST(H5Dclose(set));
  MUST(H5Sclose(space));
  MUST(H5Tclose(type));
  MUST(H5Tclose(pairs));
  MUST(H5Tclose(pair));
  MUST(H5Tclose(text));
}

/* More sequences than are told one by one. */
static void many(void) {
  enum { count = 1 << 20 };
  hvl_t* data = calloc(count + 1, sizeof *data);
  hid_t type = MUST(H5Tvlen_create(H5T_NATIVE_INT)),
        space = MUST(H5Screate_simple(1, (hsize_t[]){count + 1}, NULL));
  hid_t dataset = MUST(H5Dcreate2(file, "many", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  MUST(H5Dclose(dataset));
}

int main(int argc, char** argv) {  // what it allocates is gone with it
  (void)argv;
  file = MUST(H5Fcreate("variable.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  if (argc > 1) {
    many();
    MUST(H5Fclose(file));
    return 0;
  }
  sequences();
  strings();
  references();
  structures();
  MUST(H5Dclose(some_dataset));
  MUST(H5Fclose(file));
  return 0;
}
