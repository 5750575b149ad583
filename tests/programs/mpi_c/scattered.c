/* Sizes and places without any rule, other ones on every rank:  scattered CALLS
 * Calls of POSIX, then one of MPI-IO to as many places, given as a list. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t state;

static uint64_t any(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 8) % below;
}

int main(int argc, char** argv) {
  int calls = argc > 1 ? atoi(argv[1]) : 10000, rank = 0;
  char buffer[64] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  state = 88172645463325252u + (uint64_t)rank * 77777777u;
  int fd = open("places", O_RDWR | O_CREAT, 0644);
  if (fd < 0) return 1;
  for (int i = 0; i < calls; ++i)
    if (pwrite(fd, buffer, 8 + any(5) * 8, (off_t)any(1 << 17) * 8) < 0) return 1;
  close(fd);

  int* lengths = malloc((size_t)calls * sizeof *lengths);
  int* displacements = malloc((size_t)calls * sizeof *displacements);
  int total = 0, at = 0;
  for (int i = 0; i < calls; ++i) {
    at += (int)any(30);
    lengths[i] = 1 + (int)any(9);
    displacements[i] = at;
    at += lengths[i];
    total += lengths[i];
  }
  MPI_Datatype type;
  MPI_File file;
  MPI_Type_indexed(calls, lengths, displacements, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_File_open(MPI_COMM_SELF, rank == 0 ? "first" : "others", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
  int* data = calloc((size_t)total, sizeof *data);
  MPI_File_write(file, data, total, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&type);
  free(data);
  free(displacements);
  free(lengths);
  MPI_Finalize();
  return 0;
}
