/* The loop that recording HDF5 is measured on: select eight elements and write them, through MPI-IO, to a
 * file on tmpfs.
 *
 *   mpirun -n 1 hdf5_loop hdf5 CALLS FILE
 *
 * prints the median nanoseconds per selection and write over batches of 100, and the peak memory in
 * kilobytes. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { batch = 100, elements = 8 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void must(hid_t result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: hdf5_loop hdf5 CALLS FILE\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  long batches = atol(argv[2]) / batch;
  double* times = calloc((size_t)batches + 1, sizeof *times);
  double data[elements] = {0};
  hsize_t total = (hsize_t)batches * batch * elements, count = elements;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  must(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
  hid_t file = H5Fcreate(argv[3], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  must(file, "H5Fcreate");
  hid_t space = H5Screate_simple(1, &total, NULL), memory = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, "numbers", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  must(set, "H5Dcreate2");
  hid_t type = H5T_NATIVE_DOUBLE;
  for (long b = 0; b < batches; ++b) {
    double start = now_ns();
    for (long i = 0; i < batch; ++i) {
      hsize_t first = (hsize_t)(b * batch + i) * elements;
      must(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL), "H5Sselect_hyperslab");
      must(H5Dwrite(set, type, memory, space, H5P_DEFAULT, data), "H5Dwrite");
    }
    times[b] = (now_ns() - start) / batch;
  }
  H5Dclose(set), H5Sclose(memory), H5Sclose(space), H5Fclose(file), H5Pclose(access);
  qsort(times, (size_t)batches, sizeof *times, compare);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.1f %ld\n", batches ? times[batches / 2] : 0.0, usage.ru_maxrss);
  free(times);
  MPI_Finalize();
  return 0;
}
