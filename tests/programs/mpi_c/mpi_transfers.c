// Transfers whose places are known: every rank writes and reads a file of its own by system calls, and its
// blocks of a shared file through MPI-IO. The files under tests/data/exchange come from runs of this program
// on four ranks under other tools.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { block = 4096, rounds = 6 };

static void check(int good) {
  if (!good) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void own_file(int rank) {
  char name[32];
  char data[block];
  memset(data, 'a' + rank % 26, sizeof data);
  snprintf(name, sizeof name, "own.%d", rank);
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  check(fd >= 0);
  for (int i = 0; i < rounds; ++i) check(write(fd, data, block) == block);
  for (int i = 0; i < rounds; ++i) check(pwrite(fd, data, 100, (off_t)i * 10000 + rank) == 100);
  for (int i = rounds - 1; i >= 0; --i) check(pread(fd, data, 512, (off_t)i * block) == 512);
  check(close(fd) == 0);
}

static void shared_file(int rank, int ranks) {
  char data[block];
  MPI_File file = MPI_FILE_NULL;
  memset(data, 'A' + rank % 26, sizeof data);
  check(MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == 0);
  for (int i = 0; i < rounds; ++i) {
    MPI_Offset offset = ((MPI_Offset)i * ranks + rank) * block;
    check(MPI_File_write_at(file, offset, data, block, MPI_BYTE, MPI_STATUS_IGNORE) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < rounds; ++i) {
    MPI_Offset offset = ((MPI_Offset)i * ranks + (rank + 1) % ranks) * block;
    check(MPI_File_read_at(file, offset, data, block / 2, MPI_BYTE, MPI_STATUS_IGNORE) == 0);
  }
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  own_file(rank);
  shared_file(rank, ranks);
  MPI_Finalize();
  return 0;
}
