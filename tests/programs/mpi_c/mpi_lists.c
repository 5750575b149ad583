// Datatypes and views that take lists with an entry per rank, or per share of a rank.
#include <mpi.h>
#include <stdlib.h>

enum { total = 3001, chunks = 120, most = 1 << 16 };

static int rank;
static int ranks;

static long first(long part) {
  return part * (total / ranks) + (part < total % ranks ? part : total % ranks);
}

static void write_as(const char* name, MPI_Datatype type) {
  static char data[most];
  MPI_File file;
  int bytes;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &bytes);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, (MPI_Offset)rank * most, MPI_BYTE, type, "native", MPI_INFO_NULL);
  MPI_File_write(file, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size_t n = (size_t)(ranks > chunks ? ranks : chunks);
  int *lengths = calloc(n, sizeof *lengths), *places = calloc(n, sizeof *places);
  MPI_Aint* offsets = calloc(n, sizeof *offsets);
  MPI_Datatype type;

  // What each rank has of a total, one behind the other.
  for (int k = 0; k < ranks; ++k) {
    lengths[k] = (int)(first(k + 1) - first(k));
    places[k] = (int)first(k) + k;
  }
  MPI_Type_indexed(ranks, lengths, places, MPI_BYTE, &type);
  write_as("indexed", type);

  // Every so-and-so-many-th of the chunks, as many as there are for this rank.
  int mine = chunks / ranks + (rank < chunks % ranks);
  for (int k = 0; k < mine; ++k) {
    lengths[k] = 16;
    offsets[k] = (k * ranks + rank) * 16L;
  }
  MPI_Type_create_hindexed(mine, lengths, offsets, MPI_BYTE, &type);
  write_as("hindexed", type);

  // One column of a table of all ranks, without the diagonal.
  for (int k = 0; k < ranks - 1; ++k) places[k] = (k * ranks + rank) * 8;
  MPI_Type_create_indexed_block(ranks - 1, 8, places, MPI_BYTE, &type);
  write_as("blocks", type);

  // Messages to all, the next rank first.
  for (int k = 0; k < ranks; ++k) lengths[k] = 4, places[k] = (rank + k) % ranks * 12;
  MPI_Type_indexed(ranks, lengths, places, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&type);

  free(lengths);
  free(places);
  free(offsets);
  MPI_Finalize();
  return 0;
}
