/* Sizes and loops that depend on the rank in the middle of larger expressions: how often a loop turns is a
 * choice between ranks, items have sizes and counts that are sums. Usage: mpi_uneven */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  static double items[256];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char name[32];
  snprintf(name, sizeof name, "uneven.%d", rank);
  FILE* file = fopen(name, "w+");
  if (!file) MPI_Abort(MPI_COMM_WORLD, 1);
  setvbuf(file, NULL, _IONBF, 0);
  for (int i = 0; i < (rank ? 5 : 9); ++i) {
    fwrite(items, sizeof *items, (size_t)(7 * rank + 13 * i + 100), file);
    MPI_Barrier(MPI_COMM_SELF);
  }
  rewind(file);
  size_t got = fread(items, sizeof *items, (size_t)(3 * rank + 40), file);
  fclose(file);
  MPI_Finalize();
  return got > 0 ? 0 : 1;
}
