// Datatypes and views that take lists with an entry per rank, or per share of a rank, and lists of handles:
// requests of files, alone and among those of messages, and datatypes.
#include <mpi.h>
#include <stdlib.h>

enum { total = 3001, chunks = 120, most = 1 << 16, block = 512, wide = 24 };

static int rank;
static int ranks;
static char data[most];
static MPI_File file;

static long first(long part) {
  return part * (total / ranks) + (part < total % ranks ? part : total % ranks);
}

static void write_as(const char* name, MPI_Datatype type) {
  int bytes;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &bytes);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, (MPI_Offset)rank * most, MPI_BYTE, type, "native", MPI_INFO_NULL);
  MPI_File_write(file, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&type);
}

static MPI_Request* new_requests(int count) {
  MPI_Request* requests = calloc((size_t)count, sizeof *requests);
  for (int k = 0; k < count; ++k) requests[k] = MPI_REQUEST_NULL;
  return requests;
}

// The first rank gathers a block of every other one and writes them, all at the same time.
static void gather_and_write(void) {
  if (rank > 0) {
    MPI_Send(data, block, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    return;
  }
  char* all = calloc((size_t)ranks, block);
  MPI_Request* requests = new_requests(ranks);
  for (int k = 1; k < ranks; ++k)
    MPI_Irecv(all + (long)k * block, block, MPI_CHAR, k, 1, MPI_COMM_WORLD, &requests[k - 1]);
  MPI_Waitall(ranks - 1, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < ranks; ++k)
    MPI_File_iwrite_at(file, (MPI_Offset)k * block, all + (long)k * block, block, MPI_CHAR, &requests[k]);
  MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
  free(requests);
  free(all);
}

// Neighbors exchange messages while every rank writes a block: one list holds requests of both kinds.
static void exchange_and_write(void) {
  char left[block], right[block];
  MPI_Request requests[5];
  int count = 0;
  MPI_File_iwrite_at(file, (MPI_Offset)(ranks + rank) * block, data, block, MPI_CHAR, &requests[count++]);
  if (rank > 0) {
    MPI_Irecv(left, block, MPI_CHAR, rank - 1, 2, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(data, block, MPI_CHAR, rank - 1, 2, MPI_COMM_WORLD, &requests[count++]);
  }
  if (rank < ranks - 1) {
    MPI_Irecv(right, block, MPI_CHAR, rank + 1, 2, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(data, block, MPI_CHAR, rank + 1, 2, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

// Every rank writes a piece of every other one's part, and looks for those that are done.
static void transpose(void) {
  MPI_Request* requests = new_requests(ranks);
  for (int k = 0; k < ranks; ++k)
    MPI_File_iwrite_at(file, ((MPI_Offset)2 * ranks + k) * block + (MPI_Offset)rank * 8, data, 8, MPI_CHAR,
                       &requests[k]);
  for (int done = 0; !done;) MPI_Testall(ranks, requests, &done, MPI_STATUSES_IGNORE);
  free(requests);
}

// A structure with a member per rank: predefined types, and one of the program's own.
static void structures(void) {
  int* lengths = calloc((size_t)ranks, sizeof *lengths);
  MPI_Aint* places = calloc((size_t)ranks, sizeof *places);
  MPI_Datatype *types = calloc((size_t)ranks, sizeof *types), row, whole;
  for (int k = 0; k < ranks; ++k) lengths[k] = 1, places[k] = (MPI_Aint)k * wide, types[k] = MPI_INT;
  MPI_Type_create_struct(ranks, lengths, places, types, &whole);
  MPI_Type_free(&whole);
  MPI_Type_contiguous(wide, MPI_CHAR, &row);
  for (int k = 0; k < ranks; ++k) types[k] = row;
  MPI_Type_create_struct(ranks, lengths, places, types, &whole);
  MPI_Type_free(&whole);
  for (int k = 0; k < ranks; ++k) types[k] = MPI_DOUBLE, lengths[k] = 2, places[k] = (MPI_Aint)k * ranks * 16;
  types[0] = MPI_INT;
  MPI_Type_create_struct(ranks, lengths, places, types, &whole);
  MPI_Type_free(&whole);
  MPI_Type_free(&row);
  free(types);
  free(places);
  free(lengths);
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
  MPI_File_open(MPI_COMM_WORLD, "requests", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  gather_and_write();
  exchange_and_write();
  transpose();
  MPI_File_close(&file);
  structures();
  MPI_Finalize();
  return 0;
}
