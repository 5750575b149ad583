// An MPI program whose threads all do I/O at the same time: each has an MPI-IO file of its own
// (MPI_COMM_SELF) and a POSIX file of its own. `mpi_threads [THREADS [BLOCKS]]`; without MPI_THREAD_MULTIPLE
// the threads take turns.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { block_bytes = 512, most_threads = 64 };

static int rank;
static int blocks = 20;
static int take_turns;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void must(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "rank %d: %s failed\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_files(int thread) {
  char name[64];
  char data[block_bytes];
  MPI_File file = MPI_FILE_NULL;
  for (int i = 0; i < block_bytes; ++i) data[i] = (char)(thread + i % 50);
  snprintf(name, sizeof name, "mpi_%d_%d", rank, thread);
  must(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) ==
           MPI_SUCCESS,
       "MPI_File_open");
  snprintf(name, sizeof name, "posix_%d_%d", rank, thread);
  int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0644);
  must(fd >= 0, "open");
  for (int block = 0; block < blocks; ++block) {
    MPI_Offset offset = (MPI_Offset)block * block_bytes;
    must(MPI_File_write_at(file, offset, data, block_bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
         "MPI_File_write_at");
    must(pwrite(fd, data, block_bytes, (off_t)offset) == block_bytes, "pwrite");
    if (block % 5 == thread % 5) {
      must(MPI_File_read_at(file, 0, data, block_bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
           "MPI_File_read_at");
    }
  }
  must(close(fd) == 0, "close");
  must(MPI_File_close(&file) == MPI_SUCCESS, "MPI_File_close");
}

static void* run(void* number) {
  if (take_turns) pthread_mutex_lock(&turn);
  write_files(*(int*)number);
  if (take_turns) pthread_mutex_unlock(&turn);
  return NULL;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 4;
  if (argc > 2) blocks = atoi(argv[2]);
  if (threads < 1 || threads > most_threads || blocks < 0) return 2;
  int provided = MPI_THREAD_SINGLE;
  int ranks = 0;
  must(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS, "MPI_Init_thread");
  must(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS, "MPI_Comm_rank");
  must(MPI_Comm_size(MPI_COMM_WORLD, &ranks) == MPI_SUCCESS, "MPI_Comm_size");
  take_turns = provided < MPI_THREAD_MULTIPLE;

  pthread_t handles[most_threads];
  int numbers[most_threads];
  for (int t = 0; t < threads; ++t) {
    numbers[t] = t;
    must(pthread_create(&handles[t], NULL, run, &numbers[t]) == 0, "pthread_create");
  }
  for (int t = 0; t < threads; ++t) must(pthread_join(handles[t], NULL) == 0, "pthread_join");
  must(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS, "MPI_Barrier");
  if (rank == 0) printf("%d ranks with %d threads wrote %d blocks each\n", ranks, threads, blocks);
  must(MPI_Finalize() == MPI_SUCCESS, "MPI_Finalize");
  return 0;
}
