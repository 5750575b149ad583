// HDF5's high-level library: datasets and attributes by one call each (H5LT), tables of records (H5TB),
// packet tables (H5PT) and images (H5IM). Each rank has a file of its own.
#include <hdf5.h>
#include <hdf5_hl.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int rank;

static void must(long long result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "rank %d: %s failed\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void datasets(hid_t file) {
  const hsize_t size[2] = {4, 6};
  int numbers[24];
  double reals[24];
  for (int i = 0; i < 24; ++i) numbers[i] = rank + i, reals[i] = 0.5 * i;
  must(H5LTmake_dataset_int(file, "numbers", 2, size, numbers), "H5LTmake_dataset_int");
  must(H5LTmake_dataset_double(file, "reals", 2, size, reals), "H5LTmake_dataset_double");
  must(H5LTmake_dataset_string(file, "text", "some text"), "H5LTmake_dataset_string");
  must(H5LTset_attribute_string(file, "numbers", "unit", "m"), "H5LTset_attribute_string");
  must(H5LTset_attribute_int(file, "numbers", "rank", &rank, 1), "H5LTset_attribute_int");
  int again[24] = {0};
  hsize_t found[2] = {0, 0};
  H5T_class_t class = H5T_NO_CLASS;
  size_t bytes = 0;
  must(H5LTget_dataset_info(file, "numbers", found, &class, &bytes), "H5LTget_dataset_info");
  must(H5LTread_dataset_int(file, "numbers", again), "H5LTread_dataset_int");
  must(memcmp(numbers, again, sizeof again) == 0 ? 0 : -1, "what was read");
}

struct particle {
  int number;
  double mass;
};

static void table(hid_t file) {
  const char* names[2] = {"number", "mass"};
  const size_t offsets[2] = {offsetof(struct particle, number), offsetof(struct particle, mass)};
  const size_t sizes[2] = {sizeof(int), sizeof(double)};
  const hid_t types[2] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE};
  struct particle particles[5];
  memset(particles, 0, sizeof particles);
  for (int i = 0; i < 5; ++i) particles[i].number = i, particles[i].mass = 1.5 * i;
  must(H5TBmake_table("particles", file, "particles", 2, 5, sizeof(struct particle), names, offsets, types, 4,
                      NULL, 1, particles),
       "H5TBmake_table");
  must(H5TBappend_records(file, "particles", 3, sizeof(struct particle), offsets, sizes, particles),
       "H5TBappend_records");
  must(H5TBdelete_record(file, "particles", 1, 2), "H5TBdelete_record");
  hsize_t fields = 0;
  hsize_t records = 0;
  must(H5TBget_table_info(file, "particles", &fields, &records), "H5TBget_table_info");
  must(records == 6 ? 0 : -1, "number of records");
  must(H5TBread_records(file, "particles", 2, 3, sizeof(struct particle), offsets, sizes, particles),
       "H5TBread_records");
}

static void packets(hid_t file) {
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  hid_t packets = H5PTcreate_fl(file, "packets", H5T_NATIVE_INT, 16, -1);
  must(packets, "H5PTcreate_fl");
  must(H5PTappend(packets, 8, values), "H5PTappend");
  must(H5PTappend(packets, 3, values), "H5PTappend");
  must(H5PTread_packets(packets, 8, 3, values), "H5PTread_packets");
  must(H5PTclose(packets), "H5PTclose");
}

static void image(hid_t file) {
  unsigned char pixels[64];
  for (int i = 0; i < 64; ++i) pixels[i] = (unsigned char)(i * 4);
  must(H5IMmake_image_8bit(file, "image", 8, 8, pixels), "H5IMmake_image_8bit");
}

int main(int argc, char** argv) {
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char name[32];
  snprintf(name, sizeof name, "lite_%d.h5", rank);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  must(file, "H5Fcreate");
  datasets(file);
  table(file);
  packets(file);
  image(file);
  must(H5Fclose(file), "H5Fclose");
  if (rank == 0) printf("written by the high-level library\n");
  MPI_Finalize();
  return 0;
}
