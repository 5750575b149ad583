// A file that is only written one block after the other, by all ranks in turn. A view of such a file begins
// where it has got to, which only MPI knows: MPI_DISPLACEMENT_CURRENT.
#include <mpi.h>
#include <stdio.h>

static void must(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  fprintf(stderr, "%s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  int block[4] = {1, 2, 3, 4};
  MPI_File file = MPI_FILE_NULL;
  must(MPI_Init(&argc, &argv), "init");
  must(MPI_File_open(MPI_COMM_WORLD, "sequence", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL,
                     MPI_INFO_NULL, &file),
       "open");
  for (int step = 0; step < 3; ++step) {
    must(MPI_File_write_ordered(file, block, sizeof block, MPI_BYTE, MPI_STATUS_IGNORE), "write bytes");
    must(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL),
         "view");
  }
  must(MPI_File_close(&file), "close");
  must(MPI_Finalize(), "finalize");
  return 0;
}
