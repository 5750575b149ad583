/* Ranks in whose calls sizes grow by a factor: as many rounds as the number of ranks has bits, each twice as
 * large as the one before it; with an argument, a block of 3^rank bytes per rank. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char data[1 << 20];

int main(int argc, char** argv) {
  int rank, size, rounds = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (1 << (rounds + 1) <= size) ++rounds;
  char name[64];
  snprintf(name, sizeof name, "powers.%d", rank);
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; argc == 1 && i < rounds; ++i)
    if (pwrite(fd, data, (size_t)(64 * (rank + 1)) << i, (64 << i) - 64) < 0) exit(1);
  size_t block = 1;
  for (int i = 0; i < rank; ++i) block *= 3;
  if (argc > 1 && pwrite(fd, data, block, 0) < 0) exit(1);
  close(fd);
  MPI_Finalize();
  return 0;
}
