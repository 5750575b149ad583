// What comes before MPI starts has no order, so it folds into a loop that chooses among calls. Rank 0 makes
// such calls also after its last file is closed, so its loop holds everything from before MPI starts; the
// loops of the others end there. With an argument, all ranks do, after MPI has ended.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned state = 12345;
static unsigned next(unsigned below) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % below;
}

static void ask(int times) {
  struct stat status;
  char name[32], to[32];
  for (int i = 0; i < times; ++i) {
    snprintf(name, sizeof name, "none_%u", next(3));
    switch (next(4)) {
      case 0:
        (void)!access(name, F_OK);
        break;
      case 1:
        (void)!stat(name, &status);
        break;
      case 2:
        (void)!readlink(name, to, sizeof to);
        break;
      default:
        (void)!unlink(name);
    }
  }
}

int main(int argc, char** argv) {
  ask(400);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  char block[64];
  memset(block, 'a' + rank, sizeof block);
  MPI_File_write_at_all(file, rank * 64, block, 64, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  if (rank == 0 && argc == 1) ask(400);
  MPI_Finalize();
  if (argc > 1) ask(400);
  return 0;
}
