// Datasets (H5D): storage of all kinds, growing, fill values, walks over elements, single chunks, filters
// (H5Z).
#include "every_hdf5.h"

static herr_t add_up(void* element, hid_t type, unsigned dimensions, const hsize_t* point, void* sum) {
  (void)type, (void)dimensions, (void)point;
  *(long long*)sum += *(int*)element;
  return 0;
}

static herr_t next_part(const void** data, size_t* bytes, void* state) {
  static int values[4] = {7, 8, 9, 10};
  (void)state;
  *data = values;
  *bytes = sizeof values;
  return 0;
}

static herr_t take_part(const void* data, size_t bytes, void* state) {
  (void)data;
  *(size_t*)state += bytes;
  return 0;
}

static void walk_elements(void) {
  const hsize_t size[2] = {6, 4};
  const hsize_t start[2] = {1, 0};
  const hsize_t count[2] = {2, 4};
  int values[24];
  int gathered[8];
  long long sum = 0;
  size_t taken = 0;
  for (int i = 0; i < 24; ++i) values[i] = i;
  hid_t space = MUST(H5Screate_simple(2, size, NULL));
  MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  MUST(H5Diterate(values, H5T_NATIVE_INT, space, add_up, &sum));
  MUST(H5Dgather(space, values, H5T_NATIVE_INT, sizeof gathered, gathered, take_part, &taken));
  MUST(H5Dscatter(next_part, NULL, H5T_NATIVE_INT, space, values));
  const int seven = 7;
  MUST(H5Dfill(&seven, H5T_NATIVE_INT, values, H5T_NATIVE_INT, space));
  note("sum %lld, gathered %zu bytes, filled with %d", sum, taken, values[4]);
  MUST(H5Sclose(space));
}

void use_datasets(hid_t file) {
  const hsize_t size[2] = {6, 4};
  int values[24];
  H5D_space_status_t status;
  hid_t dataset = make_numbers(file, "dataset", 2, size);
  hid_t space = MUST(H5Dget_space(dataset));
  hid_t type = MUST(H5Dget_type(dataset));
  hid_t creation = MUST(H5Dget_create_plist(dataset));
  hid_t access = MUST(H5Dget_access_plist(dataset));
  MUST(H5Dget_space_status(dataset, &status));
  note("dataset of %llu bytes, status %d, has a place: %d", (unsigned long long)H5Dget_storage_size(dataset),
       (int)status, H5Dget_offset(dataset) != HADDR_UNDEF);
  MUST(H5Pclose(access));
  MUST(H5Pclose(creation));
  MUST(H5Tclose(type));
  MUST(H5Sclose(space));
  MUST(H5Dflush(dataset));
  MUST(H5Drefresh(dataset));

  hid_t transfer = MUST(H5Pcreate(H5P_DATASET_XFER));
  MUST(H5Pset_buffer(transfer, 4096, NULL, NULL));
  MUST(H5Pset_edc_check(transfer, H5Z_ENABLE_EDC));
  MUST(H5Pset_hyper_vector_size(transfer, 512));
  MUST(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, values));
  MUST(H5Pclose(transfer));
  MUST(H5Dclose(dataset));
  space = MUST(H5Screate_simple(2, size, NULL));
  dataset = MUST(H5Dcreate_anon(file, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT));
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(space));
  walk_elements();
}

static hid_t create(hid_t file, const char* name, hid_t type, hid_t creation, const hsize_t* size,
                    const hsize_t* most) {
  hid_t space = MUST(H5Screate_simple(2, size, most));
  hid_t dataset = MUST(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  MUST(H5Sclose(space));
  return dataset;
}

// A chunked dataset that grows, with a fill value where nothing was written.
static void grow(hid_t file) {
  const hsize_t size[2] = {4, 4};
  const hsize_t most[2] = {H5S_UNLIMITED, 8};
  const hsize_t larger[2] = {10, 6};
  const hsize_t smaller[2] = {3, 6};
  const hsize_t chunk[2] = {4, 4};
  const int minus_one = -1;
  int values[18];
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(creation, 2, chunk));
  MUST(H5Pset_fill_value(creation, H5T_NATIVE_INT, &minus_one));
  MUST(H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC));
  MUST(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_INCR));
  hid_t dataset = create(file, "growing", H5T_NATIVE_INT, creation, size, most);
  MUST(H5Dset_extent(dataset, larger));
  MUST(H5Dset_extent(dataset, smaller));
  MUST(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  note("fill value: %d", values[17]);
  int block[16] = {0};
  unsigned filters = 0;
  const hsize_t first[2] = {0, 0};
  hsize_t bytes = 0;
  hsize_t chunks = 0;
  MUST(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, first, sizeof block, block));
  MUST(H5Dread_chunk(dataset, H5P_DEFAULT, first, &filters, block));
  MUST(H5Dget_chunk_storage_size(dataset, first, &bytes));
  hid_t space = MUST(H5Dget_space(dataset));
  haddr_t address = 0;
  hsize_t offset[2];
  MUST(H5Dget_num_chunks(dataset, space, &chunks));
  MUST(H5Dget_chunk_info(dataset, space, 0, offset, &filters, &address, &bytes));
  MUST(H5Dget_chunk_info_by_coord(dataset, first, &filters, &address, &bytes));
  MUST(H5Sclose(space));
  note("first chunk has %llu bytes, of %llu", (unsigned long long)bytes, (unsigned long long)chunks);
  MUST(H5Dclose(dataset));
  MUST(H5Pclose(creation));
}

static void other_layouts(hid_t file) {
  const hsize_t size[2] = {4, 4};
  const int values[16] = {1, 2, 3};
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_layout(creation, H5D_COMPACT));
  hid_t dataset = create(file, "compact", H5T_NATIVE_INT, creation, size, NULL);
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dclose(dataset));
  MUST(H5Pclose(creation));

  char name[64];
  snprintf(name, sizeof name, "raw_%d.dat", rank);
  creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_external(creation, name, 0, 40));
  snprintf(name, sizeof name, "raw_more_%d.dat", rank);
  MUST(H5Pset_external(creation, name, 0, H5F_UNLIMITED));
  note("external files: %lld", (long long)MUST(H5Pget_external_count(creation)));
  dataset = create(file, "outside", H5T_NATIVE_INT, creation, size, NULL);
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dclose(dataset));
  MUST(H5Pclose(creation));

  creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  hid_t whole = MUST(H5Screate_simple(2, size, NULL));
  MUST(H5Pset_virtual(creation, whole, ".", "compact", whole));
  dataset = MUST(H5Dcreate2(file, "virtual", H5T_NATIVE_INT, whole, H5P_DEFAULT, creation, H5P_DEFAULT));
  int found[16];
  MUST(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found));
  note("through a virtual dataset: %d", found[2]);
  MUST(H5Dclose(dataset));
  MUST(H5Sclose(whole));
  MUST(H5Pclose(creation));
}

void use_layouts(hid_t file) {
  grow(file);
  other_layouts(file);
}

static size_t keep_as_is(unsigned flags, size_t count, const unsigned* values, size_t bytes, size_t* room,
                         void** data) {
  (void)flags, (void)count, (void)values, (void)room, (void)data;
  return bytes;
}

static void write_filtered(hid_t file, const char* name, hid_t creation) {
  const hsize_t size[2] = {40, 30};
  static int values[1200];
  for (int i = 0; i < 1200; ++i) values[i] = i % 100;
  hid_t dataset = create(file, name, H5T_NATIVE_INT, creation, size, NULL);
  MUST(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  note("%s: less than all bytes: %d, value %d", name, H5Dget_storage_size(dataset) < sizeof values,
       values[1199]);
  MUST(H5Dclose(dataset));
  MUST(H5Pclose(creation));
}

static hid_t chunked(void) {
  const hsize_t chunk[2] = {10, 10};
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(creation, 2, chunk));
  return creation;
}

void use_filters(hid_t file) {
  const H5Z_class2_t ours = {H5Z_CLASS_T_VERS, 300, 1, 1, "ours", NULL, NULL, keep_as_is};
  unsigned flags = 0;
  hid_t creation = chunked();
  MUST(H5Pset_shuffle(creation));
  MUST(H5Pset_deflate(creation, 6));
  MUST(H5Pset_fletcher32(creation));
  note("filters: %lld, all there: %lld", (long long)MUST(H5Pget_nfilters(creation)),
       (long long)MUST(H5Pall_filters_avail(creation)));
  MUST(H5Zget_filter_info(H5Z_FILTER_DEFLATE, &flags));
  write_filtered(file, "deflated", creation);
  creation = chunked();
  MUST(H5Pset_scaleoffset(creation, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT));
  write_filtered(file, "scaled", creation);
  creation = chunked();
  MUST(H5Pset_nbit(creation));
  write_filtered(file, "bits", creation);
  MUST(H5Zregister(&ours));
  note("our filter is there: %lld", (long long)MUST(H5Zfilter_avail(300)));
  creation = chunked();
  const unsigned parameter = 5;
  MUST(H5Pset_filter(creation, 300, H5Z_FLAG_OPTIONAL, 1, &parameter));
  MUST(H5Pmodify_filter(creation, 300, H5Z_FLAG_OPTIONAL, 1, &parameter));
  write_filtered(file, "ours", creation);
  creation = chunked();
  MUST(H5Pset_deflate(creation, 1));
  MUST(H5Premove_filter(creation, H5Z_FILTER_DEFLATE));
  MUST(H5Pclose(creation));
  MUST(H5Zunregister(300));
}
