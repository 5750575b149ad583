// References, encoded objects and values of links: several are made before one of them is used, in another
// order, from a copy, or read back from the file. What is done to the objects behind them shows in the file
// which ones these were. With the name of such a file: follows a reference in it.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checked_hdf5.h"

enum { objects = 3 };

static void mark(hid_t object, const char* name) {
  hid_t space = MUST(H5Screate(H5S_SCALAR));
  hid_t attribute = MUST(H5Acreate2(object, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Aclose(attribute));
  MUST(H5Sclose(space));
}

static void mark_referred(hid_t file, const hobj_ref_t* reference, const char* name) {
  hid_t object = MUST(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, reference));
  mark(object, name);
  MUST(H5Oclose(object));
}

/// In two files whose objects lie at the same addresses.
static void references(const char* first_name, const char* second_name) {
  const char* names[objects] = {"a", "b", "c"};
  hid_t files[2] = {MUST(H5Fcreate(first_name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
                    MUST(H5Fcreate(second_name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT))};
  hobj_ref_t made[2][objects], copy;
  for (int f = 0; f < 2; ++f)
    for (int i = 0; i < objects; ++i) {
      hid_t group =
          MUST(H5Gcreate2(files[f], names[f ? objects - 1 - i : i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      MUST(H5Gclose(group));
      MUST(H5Rcreate(&made[f][i], files[f], names[f ? objects - 1 - i : i], H5R_OBJECT, -1));
    }
  mark_referred(files[0], &made[0][0], "first");
  mark_referred(files[0], &made[0][1], "second");
  mark_referred(files[1], &made[1][0], "first");
  memcpy(&copy, &made[0][2], sizeof copy);
  mark_referred(files[0], &copy, "third");

  // From the file, which is closed and opened again meanwhile.
  hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){objects}, NULL));
  hid_t list =
      MUST(H5Dcreate2(files[0], "list", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(list, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, made[0]));
  MUST(H5Dclose(list));
  MUST(H5Fclose(files[0]));
  files[0] = MUST(H5Fopen(first_name, H5F_ACC_RDWR, H5P_DEFAULT));
  memset(made[0], 0, sizeof made[0]);
  list = MUST(H5Dopen2(files[0], "list", H5P_DEFAULT));
  MUST(H5Dread(list, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, made[0]));
  mark_referred(files[0], &made[0][1], "read back");

  hdset_reg_ref_t regions[objects];
  for (int i = 0; i < objects; ++i) {
    MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){0}, NULL, (hsize_t[]){(hsize_t)i + 1}, NULL));
    MUST(H5Rcreate(&regions[i], files[0], "list", H5R_DATASET_REGION, space));
  }
  hid_t region = MUST(H5Rget_region(list, H5R_DATASET_REGION, &regions[1]));
  MUST(H5Dclose(
      H5Dcreate2(files[0], "of the region", H5T_NATIVE_INT, region, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  printf("%lld points in the region\n", (long long)MUST(H5Sget_select_npoints(region)));
  hid_t open[] = {region, space, list, files[0], files[1]};
  for (size_t i = 0; i < sizeof open / sizeof *open; ++i) MUST(H5Idec_ref(open[i]));
}

/// Decoded in another order than encoded, into datasets of which the file tells what they are.
static void encoded(hid_t file) {
  char types[objects][256], spaces[objects][256], lists[objects][4096], name[32];
  for (int i = 0; i < objects; ++i) {
    size_t room = sizeof types[i], little = 1;
    hid_t type = MUST(H5Tcopy(H5T_C_S1));
    hid_t list = MUST(H5Pcreate(H5P_DATASET_CREATE));
    hid_t space = MUST(H5Screate_simple(1, (hsize_t[]){10 + (hsize_t)i}, NULL));
    MUST(H5Tset_size(type, 5 + (size_t)i));
    MUST(H5Pset_chunk(list, 1, (hsize_t[]){2 + (hsize_t)i}));
    MUST(H5Tencode(type, types[i], &little));  // only says how much it takes
    MUST(H5Tencode(type, types[i], &room));
    if (i == 0) {
      FILE* stream = fopen("type", "w");
      if (stream == NULL || fwrite(types[i], 1, sizeof types[i], stream) == 0 || fclose(stream) != 0) exit(1);
    }
    room = sizeof spaces[i];
    MUST(H5Sencode(space, spaces[i], &room));
    room = sizeof lists[i];
    MUST(H5Pencode(list, lists[i], &room));
    MUST(H5Tclose(type));
    MUST(H5Sclose(space));
    MUST(H5Pclose(list));
  }
  for (int i = 0; i < objects; ++i) {
    int k = (i + 1) % objects;
    hid_t type = MUST(H5Tdecode(types[k]));
    hid_t space = MUST(H5Sdecode(spaces[k]));
    hid_t list = MUST(H5Pdecode(lists[i]));
    snprintf(name, sizeof name, "decoded%d", i);
    MUST(H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT)));
    MUST(H5Tclose(type));
    MUST(H5Sclose(space));
    MUST(H5Pclose(list));
  }
}

static void links(hid_t file) {
  char values[objects][64];
  size_t sizes[objects];
  for (int i = 0; i < objects; ++i) {
    char name[] = {(char)('x' + i), 0};
    H5L_info_t link;
    MUST(H5Lcreate_external("elsewhere.h5", name, file, name, H5P_DEFAULT, H5P_DEFAULT));
    MUST(H5Lget_info(file, name, &link, H5P_DEFAULT));
    sizes[i] = link.u.val_size;
    MUST(H5Lget_val(file, name, values[i], sizeof values[i], H5P_DEFAULT));
  }
  for (int i = 0; i < objects; ++i) {
    const char *where = NULL, *what = NULL;
    int k = (i + 1) % objects;
    MUST(H5Lunpack_elink_val(values[k], sizes[k], NULL, &where, &what));
    printf("%s in %s\n", what, where);
  }
}

/// References of a file that was there before, and an encoded type in another.
static void found(const char* file_name, const char* type_name) {
  hobj_ref_t list[objects];
  hid_t file = MUST(H5Fopen(file_name, H5F_ACC_RDONLY, H5P_DEFAULT));
  hid_t dataset = MUST(H5Dopen2(file, "list", H5P_DEFAULT));
  MUST(H5Dread(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, list));
  MUST(H5Oclose(MUST(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &list[1]))));
  MUST(H5Dclose(dataset));
  MUST(H5Fclose(file));
  if (type_name == NULL) return;
  char type[256];
  FILE* stream = fopen(type_name, "r");
  if (stream == NULL || fread(type, 1, sizeof type, stream) == 0) exit(1);
  fclose(stream);
  MUST(H5Tclose(MUST(H5Tdecode(type))));
}

int main(int argc, char** argv) {
  if (argc > 1) {
    found(argv[1], argv[2]);
    return 0;
  }
  references("first.h5", "second.h5");
  hid_t file = MUST(H5Fcreate("third.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  encoded(file);
  links(file);
  MUST(H5Fclose(file));
  // A reference that leads nowhere.
  file = MUST(H5Fopen("third.h5", H5F_ACC_RDONLY, H5P_DEFAULT));
  hobj_ref_t nothing = 0;
  MUST(H5Eset_auto2(H5E_DEFAULT, NULL, NULL));
  printf("%d\n", H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &nothing) < 0);
  MUST(H5Fclose(file));
  return 0;
}
