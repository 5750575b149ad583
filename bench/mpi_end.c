/* What recording adds to the end of a parallel program: the ranks write to one file, then MPI_Finalize is
 * timed, in which the recorder merges the ranks' traces.
 *
 *   mpirun -n RANKS mpi_end end CALLS FILE
 *
 * Rank 0 prints how many nanoseconds it took there, and its peak memory in kilobytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: mpi_end end CALLS FILE\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  long calls = atol(argv[2]);
  int rank = 0, ranks = 0;
  char data[64] = {0};
  MPI_File file = MPI_FILE_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (MPI_File_open(MPI_COMM_WORLD, argv[3], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (long i = 0; i < calls; ++i)
    MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * (MPI_Offset)sizeof data, data, sizeof data,
                      MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = now_ns();
  MPI_Finalize();
  double end = now_ns();
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (rank == 0) printf("%.1f %ld\n", end - start, usage.ru_maxrss);
  return 0;
}
