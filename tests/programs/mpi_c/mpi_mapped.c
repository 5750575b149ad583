/* Ranks store into their parts of one file that all have mapped: rank r, in step s, into r + 1 pages of its
 * part. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char** argv) {
  enum { steps = 3, most = 16 };
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size_t page = (size_t)sysconf(_SC_PAGESIZE), part = steps * most * page;
  int fd = open("state", O_RDWR | O_CREAT, 0644);
  if (fd < 0 || ftruncate(fd, (off_t)(part * (size_t)ranks)) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  char* at = mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(part * (size_t)rank));
  if (at == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t step = 0; step < steps; ++step) {
    for (size_t i = 0; i <= (size_t)rank && i < most; ++i) at[(step * most + i) * page] = 'x';
    msync(at, part, MS_SYNC);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  munmap(at, part);
  close(fd);
  MPI_Finalize();
  return 0;
}
