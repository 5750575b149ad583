/* Rank 0 makes a folder and files, then sends a message; the others use them when it has come. */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(int good, const char* what) {
  if (good) return;
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, done = 1;
  char text[64], name[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  if (rank == 0) {
    int log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 50; ++i) { /* takes its time */
      check(write(log, "line\n", 5) == 5, "write");
      fsync(log);
    }
    close(log);
    check(mkdir("run", 0755) == 0, "mkdir");
    int list = open("run/list", O_WRONLY | O_CREAT, 0644);
    check(write(list, text, 64) == 64, "write");
    close(list);
    MPI_File_open(MPI_COMM_SELF, "run/shared", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  }
  MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) {
    check(mkdir("run", 0755) != 0 && errno == EEXIST, "mkdir again");
    int list = open("run/list", O_RDWR);
    check(list >= 0, "open");
    close(list);
    int e = MPI_File_open(MPI_COMM_SELF, "run/shared", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    check(e == MPI_SUCCESS, "MPI_File_open");
  }
  snprintf(name, sizeof name, "run/rank%d", rank);
  int own = open(name, O_WRONLY | O_CREAT, 0644);
  check(own >= 0, "open own");
  close(own);
  snprintf(name, sizeof name, "run/folder%d/", rank);
  check(mkdir(name, 0755) == 0, "mkdir own");
  MPI_File_write_at(file, 64 * rank, text, 64, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
