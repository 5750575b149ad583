// MPI jobs that do not end as they should. All ranks write ten blocks each to one file; then, as the option
// says:
//   --kill RANK            that rank is killed by a signal, the others wait for it
//   --abort RANK           that rank calls MPI_Abort
//   --exit RANK            that rank exits with code 3 and without MPI_Finalize
//   --never-finalize RANK  that rank sleeps for a minute and never gets to MPI_Finalize; the others do
//   --io-after-finalize    all ranks write a POSIX file after MPI_Finalize
//   --return               the normal end
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { blocks = 10, block_bytes = 1000 };

static int rank;
static int ranks;

static void must(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "rank %d: %s failed\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_blocks(void) {
  char data[block_bytes];
  MPI_File file = MPI_FILE_NULL;
  memset(data, 'a' + rank % 26, sizeof data);
  must(MPI_File_open(MPI_COMM_WORLD, "blocks", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) ==
           MPI_SUCCESS,
       "MPI_File_open");
  for (int block = 0; block < blocks; ++block) {
    MPI_Offset offset = ((MPI_Offset)block * ranks + rank) * block_bytes;
    must(MPI_File_write_at(file, offset, data, block_bytes, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
         "MPI_File_write_at");
  }
  must(MPI_File_close(&file) == MPI_SUCCESS, "MPI_File_close");
}

static void write_late(void) {
  char name[32];
  snprintf(name, sizeof name, "late_%d", rank);
  int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (fd < 0) exit(1);
  for (int i = 0; i < blocks; ++i) {
    if (pwrite(fd, name, 6, (off_t)i * 6) != 6) exit(1);
  }
  if (close(fd) != 0) exit(1);
}

static void end_badly(const char* how) {
  if (strcmp(how, "--kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "--abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  if (strcmp(how, "--exit") == 0) exit(3);
  if (strcmp(how, "--never-finalize") == 0) {
    sleep(60);
    _exit(4);
  }
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "--return";
  int who = argc > 2 ? atoi(argv[2]) : -1;
  must(MPI_Init(&argc, &argv) == MPI_SUCCESS, "MPI_Init");
  must(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS, "MPI_Comm_rank");
  must(MPI_Comm_size(MPI_COMM_WORLD, &ranks) == MPI_SUCCESS, "MPI_Comm_size");
  write_blocks();
  must(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS, "MPI_Barrier");
  if (rank == 0) {
    printf("%d ranks wrote %d blocks each\n", ranks, blocks);
    fflush(stdout);
  }
  if (rank == who) end_badly(how);
  must(MPI_Finalize() == MPI_SUCCESS, "MPI_Finalize");
  if (strcmp(how, "--io-after-finalize") == 0) write_late();
  return 0;
}
