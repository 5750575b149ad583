// Every rank makes scratch files and a folder of its own, in the folder that all share.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 5; ++step) {
    char scratch[] = "scratch_XXXXXX", folder[] = "folder_XXXXXX", inside[64];
    int fd = mkostemp(scratch, O_CLOEXEC);
    if (fd < 0 || write(fd, "data", 4) != 4 || close(fd) != 0) return 1;
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(inside, sizeof inside, "%s/part", folder);
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, inside, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) !=
        MPI_SUCCESS)
      return 1;
    MPI_File_write_at(file, rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_delete(inside, MPI_INFO_NULL);
    if (rmdir(folder) != 0 || unlink(scratch) != 0) return 1;
  }
  MPI_Finalize();
  return 0;
}
