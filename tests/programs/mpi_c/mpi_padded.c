/* Names with numbers whose width follows the number of ranks: out.0 at 8 ranks, out.00 at 24. Each rank
 * copies its part of a file that is there. Time between the calls is shared by the ranks. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, size;
  char name[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int width = snprintf(NULL, 0, "%d", size - 1);
  snprintf(name, sizeof name, "out.%0*d", width, rank);
  char part[100];
  int input = open("data/input", O_RDONLY);
  if (pread(input, part, sizeof part, (off_t)sizeof part * rank) != (ssize_t)sizeof part) return 1;
  close(input);
  int fd = open(name, O_CREAT | O_WRONLY, 0666);
  for (int step = 0; step < 3; ++step) {
    struct timespec pause = {0, 240000000L / size};
    nanosleep(&pause, NULL);
    if (write(fd, part, sizeof part) < 0) return 1;
  }
  close(fd);
  MPI_Finalize();
  return 0;
}
