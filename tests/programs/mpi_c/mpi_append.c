// Ranks write one file after the other, as groups of ranks do with files of their own: the first makes it,
// each of the others appends when a message has told it to. Where it stands then tells what was there before.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  enum { lines = 3000, length = 40 };
  int rank = 0, size = 0, baton = 0, bad = 0;
  char line[length + 1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  memset(line, 'a' + rank, length);
  line[length - 1] = '\n';
  line[length] = 0;
  for (int dump = 0; dump < 2; ++dump) {
    char name[32];
    snprintf(name, sizeof name, "dump_%d.txt", dump);
    if (rank > 0) MPI_Recv(&baton, 1, MPI_INT, rank - 1, dump, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    FILE* file = fopen(name, rank == 0 ? "w" : "a");
    if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < lines >> rank; ++i) {
      fputs(line, file);
      if (rank == 0) fflush(file);
    }
    fflush(file);
    long expected = 0;
    for (int r = 0; r <= rank; ++r) expected += (long)(lines >> r) * length;
    bad |= ftell(file) != expected;
    fclose(file);
    if (rank + 1 < size) MPI_Send(&baton, 1, MPI_INT, rank + 1, dump, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return bad;
}
