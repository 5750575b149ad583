// Dataspaces (H5S): extents, and selections of all kinds, each used to write and read.
#include "every_hdf5.h"

enum { rows = 12, columns = 10 };

static int values[rows * columns];

// Writes and reads what is selected in the file, from and to a flat buffer.
static void transfer(const char* what, hid_t dataset, hid_t selection) {
  long long count = MUST(H5Sget_select_npoints(selection));
  hsize_t start[2] = {0, 0};
  hsize_t end[2] = {0, 0};
  hsize_t size = count > 0 ? (hsize_t)count : 1;
  hid_t memory = MUST(H5Screate_simple(1, &size, NULL));
  if (count == 0) {
    MUST(H5Sselect_none(memory));
  } else {
    MUST(H5Sget_select_bounds(selection, start, end));
  }
  for (int i = 0; i < rows * columns; ++i) values[i] = 1000 + i;
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, memory, selection, H5P_DEFAULT, values));
  MUST(H5Dread(dataset, H5T_NATIVE_INT, memory, selection, H5P_DEFAULT, values));
  note("%s: %lld points, type %d, valid %lld, from %llu, %llu to %llu, %llu", what, count,
       (int)H5Sget_select_type(selection), (long long)MUST(H5Sselect_valid(selection)),
       (unsigned long long)start[0], (unsigned long long)start[1], (unsigned long long)end[0],
       (unsigned long long)end[1]);
  MUST(H5Sclose(memory));
}

static void hyperslabs(hid_t dataset, hid_t space) {
  const hsize_t start[2] = {1, 2};
  const hsize_t stride[2] = {4, 3};
  const hsize_t count[2] = {2, 3};
  const hsize_t block[2] = {2, 1};
  const hsize_t other[2] = {0, 0};
  const hsize_t size[2] = {3, 3};
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block));
  hsize_t found[4][2];
  MUST(H5Sget_regular_hyperslab(space, found[0], found[1], found[2], found[3]));
  note("regular: %lld, stride %llu", (long long)MUST(H5Sis_regular_hyperslab(space)),
       (unsigned long long)found[1][0]);
  transfer("strided", dataset, space);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_OR, other, NULL, size, NULL));
  long long blocks = MUST(H5Sget_select_hyper_nblocks(space));
  hsize_t corners[64];
  MUST(H5Sget_select_hyper_blocklist(space, 0, blocks < 16 ? (hsize_t)blocks : 16, corners));
  transfer("or", dataset, space);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_AND, other, NULL, size, NULL));
  transfer("and", dataset, space);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_XOR, start, NULL, size, NULL));
  transfer("xor", dataset, space);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_NOTB, other, NULL, count, NULL));
  transfer("not b", dataset, space);
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_NOTA, other, NULL, size, NULL));
  transfer("not a", dataset, space);
  const hssize_t by[2] = {2, 1};
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, other, NULL, size, NULL));
  MUST(H5Soffset_simple(space, by));
  transfer("shifted", dataset, space);
  const hssize_t back[2] = {0, 0};
  MUST(H5Soffset_simple(space, back));
}

static void points(hid_t dataset, hid_t space) {
  const hsize_t some[4][2] = {{0, 0}, {11, 9}, {5, 5}, {3, 8}};
  hsize_t found[4][2];
  MUST(H5Sselect_elements(space, H5S_SELECT_SET, 3, &some[0][0]));
  MUST(H5Sselect_elements(space, H5S_SELECT_APPEND, 1, &some[3][0]));
  MUST(H5Sget_select_elem_pointlist(space, 0, 4, &found[0][0]));
  note("points: %lld, last %llu", (long long)MUST(H5Sget_select_elem_npoints(space)),
       (unsigned long long)found[3][1]);
  transfer("points", dataset, space);
  const hsize_t one[1][2] = {{1, 1}};
  MUST(H5Sselect_elements(space, H5S_SELECT_PREPEND, 1, &one[0][0]));
  transfer("points before", dataset, space);
}

// Selections as objects: combined, copied, compared, moved.
#if H5_VERSION_GE(1, 10, 7)
static void calculate(hid_t dataset, hid_t space) {
  const hsize_t start[2] = {2, 2};
  const hsize_t end[2] = {5, 6};
  const hsize_t size[2] = {4, 5};
  const hsize_t corner[2] = {0, 0};
  const hssize_t by[2] = {1, 1};
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL));
  hid_t more = MUST(H5Scombine_hyperslab(space, H5S_SELECT_OR, corner, NULL, size, NULL));
  hid_t both = MUST(H5Scombine_select(space, H5S_SELECT_AND, more));
  note("of the same shape: %lld, touches the block: %lld", (long long)MUST(H5Sselect_shape_same(both, space)),
       (long long)MUST(H5Sselect_intersect_block(more, start, end)));
  MUST(H5Smodify_select(more, H5S_SELECT_NOTB, both));
  transfer("combined", dataset, more);
  hid_t projected = MUST(H5Sselect_project_intersection(space, space, both));
  MUST(H5Sselect_adjust(both, by));
  transfer("moved", dataset, both);
  MUST(H5Sselect_copy(more, both));
  transfer("copied", dataset, more);
  MUST(H5Sclose(projected));
  MUST(H5Sclose(both));
  MUST(H5Sclose(more));
}
#endif

void use_selections(hid_t file) {
  const hsize_t size[2] = {rows, columns};
  hid_t dataset = make_numbers(file, "selections", 2, size);
  hid_t space = MUST(H5Dget_space(dataset));
  hyperslabs(dataset, space);
  points(dataset, space);
#if H5_VERSION_GE(1, 10, 7)
  calculate(dataset, space);
#endif
  MUST(H5Sselect_all(space));
  transfer("all", dataset, space);
  MUST(H5Sselect_none(space));
  transfer("none", dataset, space);
  MUST(H5Sclose(space));
  MUST(H5Dclose(dataset));
}

void use_spaces(void) {
  const hsize_t size[3] = {2, 3, 4};
  const hsize_t most[3] = {2, H5S_UNLIMITED, 8};
  hsize_t found[3];
  hsize_t found_most[3];
  hid_t scalar = MUST(H5Screate(H5S_SCALAR));
  hid_t nothing = MUST(H5Screate(H5S_NULL));
  hid_t space = MUST(H5Screate_simple(3, size, most));
  hid_t copy = MUST(H5Scopy(space));
  MUST(H5Sget_simple_extent_dims(copy, found, found_most));
  note("space of %lld dimensions, %lld points, simple %lld, unlimited %d, class %d",
       (long long)MUST(H5Sget_simple_extent_ndims(copy)), (long long)MUST(H5Sget_simple_extent_npoints(copy)),
       (long long)MUST(H5Sis_simple(copy)), found_most[1] == H5S_UNLIMITED,
       (int)H5Sget_simple_extent_type(copy));
  note("extents equal: %lld", (long long)MUST(H5Sextent_equal(space, copy)));
  MUST(H5Sset_extent_simple(copy, 2, size, NULL));
  MUST(H5Sset_extent_none(scalar));
  MUST(H5Sextent_copy(scalar, copy));
  size_t bytes = 0;
  MUST(H5Sencode(copy, NULL, &bytes));
  void* text = malloc(bytes);
  MUST(H5Sencode(copy, text, &bytes));
  hid_t decoded = MUST(H5Sdecode(text));
  free(text);
  MUST(H5Sclose(decoded));
  MUST(H5Sclose(copy));
  MUST(H5Sclose(space));
  MUST(H5Sclose(nothing));
  MUST(H5Sclose(scalar));
}
