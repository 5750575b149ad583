// All ranks read a file that is there, opened as if it might not be; then their threads hand files on through
// MPI-IO: each writes one of its own, and when all have done so reads that of the next, which may be another
// rank's. `mpi_thread_files abort` then ends the job with code 7 by rank 1, while the others wait for it.
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { threads = 3, values = 1000 };

static pthread_barrier_t all_written;
static int rank, ranks;

static void* work(void* argument) {
  int number = (int)(long)argument;
  int data[values];
  char name[32];
  MPI_File file;
  memset(data, number, sizeof data);
  snprintf(name, sizeof name, "part.%d", rank * threads + number);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (number == 1) usleep(30000);
  MPI_File_write_at(file, 0, data, values, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at(file, (MPI_Offset)sizeof data, data, values, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  pthread_barrier_wait(&all_written);
  if (number == 0) MPI_Barrier(MPI_COMM_WORLD);
  pthread_barrier_wait(&all_written);
  snprintf(name, sizeof name, "part.%d", (rank * threads + number + 1) % (ranks * threads));
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at_all(file, (MPI_Offset)sizeof data, data, values, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read(file, data, values, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  return NULL;
}

static void read_input(void) {
  char data[1000];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "input", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_read_at_all(file, (MPI_Offset)rank * 1000, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  pthread_t handles[threads];
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  read_input();
  pthread_barrier_init(&all_written, NULL, threads);
  for (long t = 0; t < threads; ++t) pthread_create(&handles[t], NULL, work, (void*)t);
  for (int t = 0; t < threads; ++t) pthread_join(handles[t], NULL);
  if (argc > 1 && strcmp(argv[1], "abort") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    sleep(1);  // until the others are waiting
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    pause();
  }
  MPI_Finalize();
  return 0;
}
