// Starts another world of two ranks, which is this program again; each world writes a file of its own.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  fprintf(stderr, "%s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_file(const char* name) {
  MPI_File file = MPI_FILE_NULL;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), "open");
  must(MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE),
       "write");
  must(MPI_File_close(&file), "close");
}

int main(int argc, char** argv) {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm children = MPI_COMM_NULL;
  must(MPI_Init(&argc, &argv), "init");
  must(MPI_Comm_get_parent(&parent), "parent");
  if (parent == MPI_COMM_NULL) {
    must(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                        MPI_ERRCODES_IGNORE),
         "spawn");
    write_file("parents");
    must(MPI_Barrier(children), "barrier");
    must(MPI_Comm_disconnect(&children), "disconnect");
  } else {
    write_file("children");
    must(MPI_Barrier(parent), "barrier");
    must(MPI_Comm_disconnect(&parent), "disconnect");
  }
  must(MPI_Finalize(), "finalize");
  return 0;
}
