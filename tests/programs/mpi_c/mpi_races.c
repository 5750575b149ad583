// Files that ranks race for. All of them remove one, and make a folder and a file; who is first is chance.
// One makes a file that the others wait for by asking, and all look at one that another removes.
// `mpi_races FIRST`: that rank is first, the others come a little later.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  struct stat status;
  char name[32];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int first = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != first) usleep(20000u * (unsigned)(1 + rank));
  remove("old");
  mkdir("out", 0755);
  int lock = open("lock", O_RDWR | O_CREAT | O_EXCL, 0644);
  if (lock >= 0) close(lock);
  snprintf(name, sizeof name, "out/%d", rank);
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (write(fd, name, 5) != 5) perror(name);
  close(fd);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    usleep(10000u * (unsigned)(1 + first));
    close(open("ready", O_WRONLY | O_CREAT, 0644));
  }
  while (rank != 0 && access("ready", F_OK) != 0) usleep(3000);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) unlink("ready");
  if (rank == 2 && first == 2) usleep(20000);
  if (rank == 2) stat("ready", &status);
  MPI_Finalize();
  return 0;
}
