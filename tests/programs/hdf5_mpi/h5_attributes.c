// Attributes with values of several types and sizes: numbers, strings, and what must not be kept because it
// is large or full of addresses.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) must((hid_t)(call), #call)

static hid_t must(hid_t result, const char* what) {
  if (result >= 0) return result;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

static void put(hid_t file, const char* name, hid_t type, hsize_t count, const void* value) {
  hid_t space = MUST(H5Screate_simple(1, &count, NULL));
  hid_t attribute = MUST(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Awrite(attribute, type, value));
  MUST(H5Aclose(attribute));
  MUST(H5Sclose(space));
}

int main(int argc, char** argv) {
  hid_t file = MUST(H5Fcreate("attributes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  for (int step = 0; step < 5; ++step) {
    char name[16];
    snprintf(name, sizeof name, "step%d", step);
    int number = 100 + step;
    put(file, name, H5T_NATIVE_INT, 1, &number);
  }
  hid_t text = MUST(H5Tcopy(H5T_C_S1));
  MUST(H5Tset_size(text, 16));
  char unit[16] = "meters";
  if (argc > 1) snprintf(unit, sizeof unit, "%s", argv[1]);
  put(file, "unit", text, 1, unit);
  put(file, "odd", text, 1, "a\"b\\c\n\0\0\0\0\0\0\0\0\0\0");
  const double many[40] = {0};
  put(file, "large", H5T_NATIVE_DOUBLE, 40, many);
  MUST(H5Tset_size(text, H5T_VARIABLE));
  const char* place = "somewhere";
  put(file, "variable", text, 1, &place);
  MUST(H5Tclose(text));
  MUST(H5Fclose(file));
  return 0;
}
