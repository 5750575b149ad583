// Datatypes over buffers from the heap, which lie elsewhere in every run: from the first buffer on, as
// PnetCDF's non-blocking calls make them, and by absolute addresses. A type made of asked addresses is used
// for the file as well: there its distances count.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { buffers = 6, steps = 4 };

static unsigned chance;
static unsigned some(unsigned below) {
  chance = chance * 1103515245u + 12345u;
  return chance / 65536 % below;
}

/// Memory with other things before it, of which some are gone again.
static char* scattered(size_t bytes) {
  void* other[20];
  for (int i = 0; i < 20; ++i) other[i] = malloc(16 + some(5000));
  char* place = malloc(bytes);
  if (place == NULL) exit(1);
  for (int i = 0; i < 20; ++i)
    if (some(2)) free(other[i]);
  memset(place, 'a' + (int)(bytes % 26), bytes);
  return place;
}

static void write_buffers(MPI_File file, int rank, int step, int absolute) {
  char* place[buffers];
  int lengths[buffers];
  MPI_Aint displacements[buffers], first = 0;
  for (int i = 0; i < buffers; ++i) {
    lengths[i] = 100 + 64 * i + step;
    place[i] = scattered((size_t)lengths[i]);
    MPI_Get_address(place[i], &displacements[i]);
    if (i == 0) first = displacements[0];
    if (!absolute) displacements[i] = MPI_Aint_diff(displacements[i], first);
  }
  MPI_Datatype type;
  MPI_Type_create_hindexed(buffers, lengths, displacements, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_File_write_at_all(file, (MPI_Offset)rank * 100000 + step * 10000 + absolute * 5000,
                        absolute ? MPI_BOTTOM : place[0], 1, type, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  for (int i = 0; i < buffers; ++i)
    if (some(3)) free(place[i]);
}

/// Elements of several buffers by turns, as a column-wise array is written.
static void write_by_turns(MPI_File file, int rank) {
  enum { columns = 3, rows = 5 };
  char* place[columns];
  int lengths[columns * rows];
  MPI_Aint displacements[columns * rows], first = 0, here;
  for (int i = 0; i < columns; ++i) {
    place[i] = scattered(rows * sizeof(int));
    MPI_Get_address(place[i], &here);
    if (i == 0) first = here;
    for (int row = 0; row < rows; ++row) {
      lengths[row * columns + i] = sizeof(int);
      displacements[row * columns + i] = here - first + row * (MPI_Aint)sizeof(int);
    }
  }
  MPI_Datatype type;
  MPI_Type_create_hindexed(columns * rows, lengths, displacements, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_File_write_at_all(file, 3000000 + rank * 1000, place[0], 1, type, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  for (int i = 0; i < columns; ++i) free(place[i]);
}

/// A structure with members that are left out, in memory and in the file.
static void write_structures(MPI_File file, int rank) {
  struct {
    int number;
    char left_out[28];
    double values[2];
    char rest[16];
  } all[10];
  memset(all, 'x', sizeof all);
  MPI_Aint displacements[2], base;
  MPI_Get_address(&all[0], &base);
  MPI_Get_address(&all[0].number, &displacements[0]);
  MPI_Get_address(&all[0].values, &displacements[1]);
  for (int i = 0; i < 2; ++i) displacements[i] -= base;
  int lengths[2] = {1, 2};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, members, structure, same;
  MPI_Type_create_struct(2, lengths, displacements, types, &members);
  MPI_Type_create_resized(members, 0, sizeof all[0], &structure);
  MPI_Type_free(&members);
  MPI_Type_commit(&structure);
  MPI_File_write_at(file, rank * 1000, all, 10, structure, MPI_STATUS_IGNORE);
  MPI_Type_create_struct(2, lengths, displacements, types, &members);
  MPI_Type_dup(members, &same);
  MPI_Type_commit(&same);
  MPI_File_write_at(file, rank * 2000, all, 1, same, MPI_STATUS_IGNORE);
  MPI_File_set_view(file, 2000000 + rank * (MPI_Offset)sizeof all, same, same, "native", MPI_INFO_NULL);
  MPI_File_write_at_all(file, 0, all, 10, same, MPI_STATUS_IGNORE);
  MPI_Type_free(&same);
  MPI_Type_free(&members);
  MPI_Type_free(&structure);
  MPI_Type_contiguous(3, MPI_INT, &members);
  MPI_Type_commit(&members);
  MPI_File_write_at_all(file, 100, all, 0, members, MPI_STATUS_IGNORE);
  MPI_Type_free(&members);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  chance = (unsigned)now.tv_nsec ^ (unsigned)getpid() * 7919u;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "heap.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < steps; ++step) {
    write_buffers(file, rank, step, 0);
    write_buffers(file, rank, step, 1);
  }
  write_by_turns(file, rank);
  write_structures(file, rank);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
