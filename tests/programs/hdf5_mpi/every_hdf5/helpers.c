// What the parts of every_hdf5 share; see every_hdf5.h.
#include "every_hdf5.h"

#include <stdarg.h>

int rank;
int ranks = 1;

static void give_up(const char* call, const char* problem) {
  fprintf(stderr, "rank %d: %s %s\n", rank, call, problem);
#ifdef H5_HAVE_PARALLEL
  MPI_Abort(MPI_COMM_WORLD, 1);
#endif
  exit(1);
}

hid_t must(hid_t result, const char* call) {
  if (result < 0) give_up(call, "failed");
  return result;
}

void must_fail(hid_t result, const char* call) {
  if (result >= 0) give_up(call, "should have failed");
}

void note(const char* format, ...) {
  if (rank != 0) return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n");
}

const char* own_name(const char* name) {
  static char full[128];
  snprintf(full, sizeof full, "%s_%d.h5", name, rank);
  return full;
}

hid_t make_numbers(hid_t parent, const char* name, int dimensions, const hsize_t* size) {
  size_t count = 1;
  for (int d = 0; d < dimensions; ++d) count *= (size_t)size[d];
  int* values = malloc(count * sizeof *values);
  if (values == NULL) give_up("malloc", "failed");
  for (size_t i = 0; i < count; ++i) values[i] = (int)i;
  hid_t space = MUST(H5Screate_simple(dimensions, size, NULL));
  hid_t dataset =
      MUST(H5Dcreate2(parent, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Sclose(space));
  free(values);
  return dataset;
}
