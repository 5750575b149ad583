// Names that begin with the kind of their file system, and are absolute: `mpi_prefix FOLDER` writes a file
// there and deletes another.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  char name[4200];
  MPI_File file;
  int value = 7, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "ufs:%s/made", argc > 1 ? argv[1] : "");
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) ==
      MPI_SUCCESS) {
    MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
  }
  snprintf(name, sizeof name, "ufs:%s/deleted", argc > 1 ? argv[1] : "");
  if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
