/* The loop that recording MPI-IO is measured on: writes of eight bytes to a file on tmpfs.
 *
 *   mpirun -n 1 mpi_loop mpi CALLS FILE
 *
 * prints the median nanoseconds per call over batches of 1,000 calls, and the peak memory in kilobytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { batch = 1000 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: mpi_loop mpi CALLS FILE\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  long batches = atol(argv[2]) / batch;
  double* times = calloc((size_t)batches + 1, sizeof *times);
  char data[8] = {0};
  MPI_File file = MPI_FILE_NULL;
  if (times == NULL ||
      MPI_File_open(MPI_COMM_WORLD, argv[3], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (long b = 0; b < batches; ++b) {
    double start = now_ns();
    for (long i = 0; i < batch; ++i)
      MPI_File_write_at(file, (MPI_Offset)(b * batch + i) * 8, data, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    times[b] = (now_ns() - start) / batch;
  }
  MPI_File_close(&file);
  MPI_Finalize();
  qsort(times, (size_t)batches, sizeof *times, compare);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.1f %ld\n", batches ? times[batches / 2] : 0.0, usage.ru_maxrss);
  free(times);
  return 0;
}
