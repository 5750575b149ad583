// Another tool that watches MPI, in the usual way: it is preloaded, defines a few MPI functions and calls the
// real ones by their PMPI names. At MPI_Finalize rank 0 says what all ranks together have seen.
#include <mpi.h>
#include <stdio.h>

static long long opens;
static long long writes;

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  ++opens;
  return PMPI_File_open(comm, name, mode, info, file);
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* data, int count, MPI_Datatype type,
                      MPI_Status* status) {
  ++writes;
  return PMPI_File_write_at(file, offset, data, count, type, status);
}

int MPI_Finalize(void) {
  int rank = 0;
  long long mine[2] = {opens, writes};
  long long all[2] = {0, 0};
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("pmpi_tool: %lld MPI_File_open, %lld MPI_File_write_at\n", all[0], all[1]);
    fflush(stdout);
  }
  return PMPI_Finalize();
}
