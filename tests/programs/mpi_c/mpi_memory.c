/* Datatypes as libraries make them: over memory by absolute addresses, and of more blocks than anyone would
 * write down, irregular and different on each rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { blocks = 300, variables = 3, cells = 50 };

static int rank;
static MPI_File file;

static void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  fprintf(stderr, "%s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_and_read(const void* buffer, void* back, MPI_Datatype type) {
  check(MPI_File_write_at_all(file, 0, buffer, 1, type, MPI_STATUS_IGNORE), "MPI_File_write_at_all");
  check(MPI_File_read_at_all(file, 0, back, 1, type, MPI_STATUS_IGNORE), "MPI_File_read_at_all");
}

/* Arrays of the heap, and one of the stack, far away from them. */
static void scattered_memory(void) {
  double* on_heap[variables];
  int on_stack[cells] = {0};
  int lengths[variables + 1] = {cells, cells, cells, cells};
  MPI_Aint places[variables + 1];
  MPI_Datatype types[variables + 1] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE, MPI_INT}, heap_only, all;
  for (int v = 0; v < variables; ++v) {
    on_heap[v] = calloc(cells, sizeof **on_heap);
    MPI_Get_address(on_heap[v], &places[v]);
  }
  MPI_Get_address(on_stack, &places[variables]);
  MPI_Type_create_hindexed(variables, lengths, places, MPI_DOUBLE, &heap_only);
  MPI_Type_commit(&heap_only);
  MPI_Type_create_struct(variables + 1, lengths, places, types, &all);
  MPI_Type_commit(&all);
  MPI_File_set_view(file, (MPI_Offset)rank * 100000, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  write_and_read(MPI_BOTTOM, MPI_BOTTOM, heap_only);
  write_and_read(MPI_BOTTOM, MPI_BOTTOM, all);
  MPI_Type_free(&heap_only);
  MPI_Type_free(&all);
  for (int v = 0; v < variables; ++v) free(on_heap[v]);
}

/* Two views of many blocks, with other gaps on each rank; rank 1 has fewer. */
static void many_blocks(void) {
  static int lengths[blocks], data[8 * blocks];
  static MPI_Aint places[blocks];
  for (int turn = 0; turn < 2; ++turn) {
    MPI_Datatype view;
    MPI_Aint at = 0;
    int count = rank == 1 ? blocks - 100 : blocks, all = 0;
    for (int k = 0; k < count; ++k) {
      places[k] = at;
      lengths[k] = 1 + k * k % 5;
      all += lengths[k];
      at += 4 * lengths[k] + (k * 7919 + rank * 104729 + turn) % 1009 * 4;
    }
    MPI_Type_create_hindexed(count, lengths, places, MPI_INT, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, (MPI_Offset)rank * 1000000, MPI_INT, view, "native", MPI_INFO_NULL);
    check(MPI_File_write_at_all(file, 0, data, all, MPI_INT, MPI_STATUS_IGNORE), "MPI_File_write_at_all");
    MPI_Type_free(&view);
  }
}

/* A type of many others, all made before, and one of so many kinds in turn that naming them takes some text.
 */
static void many_types(void) {
  static int lengths[blocks];
  static MPI_Aint places[blocks];
  static MPI_Datatype types[blocks];
  static char data[blocks * 64];
  MPI_Datatype all;
  for (int k = 0; k < blocks; ++k) {
    MPI_Type_vector(2, 1, 2 + (k + rank) % 3, MPI_INT, &types[k]);
    lengths[k] = 1;
    places[k] = k * 64;
  }
  MPI_Type_create_struct(blocks, lengths, places, types, &all);
  MPI_Type_commit(&all);
  MPI_File_set_view(file, (MPI_Offset)rank * 100000, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  write_and_read(data, data, all);
  MPI_Type_free(&all);
  for (int k = 1; k < 60; k += 2) {
    MPI_Type_free(&types[k]);
    types[k] = k % 4 == 1 ? MPI_DOUBLE : MPI_CHAR;
  }
  MPI_Type_create_struct(60, lengths, places, types, &all);
  MPI_Type_commit(&all);
  write_and_read(data, data, all);
  MPI_Type_free(&all);
  for (int k = 0; k < blocks; ++k)
    if (k >= 60 || k % 2 == 0) MPI_Type_free(&types[k]);
}

/* A datatype of which some ranks take one and others another. */
static void one_of_two(void) {
  static char data[64];
  int length = 1;
  MPI_Aint place = 4;
  MPI_Datatype types[2], all;
  MPI_Type_vector(2, 1, 2, MPI_INT, &types[0]);
  MPI_Type_vector(3, 1, 2, MPI_INT, &types[1]);
  MPI_Type_create_struct(1, &length, &place, &types[rank % 2], &all);
  MPI_Type_commit(&all);
  write_and_read(data, data, all);
  MPI_Type_free(&all);
  for (int k = 0; k < 2; ++k) MPI_Type_free(&types[k]);
}

/* At the end of the file there is less than is asked for, whether or not a program wants to know. */
static void short_reads(void) {
  static char data[1000];
  MPI_Status status;
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  check(MPI_File_set_size(file, 3000000), "MPI_File_set_size");
  check(MPI_File_read_at(file, 2999900, data, 1000, MPI_BYTE, &status), "MPI_File_read_at");
  check(MPI_File_read_at(file, 2999910, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE), "MPI_File_read_at");
  check(MPI_File_read_at_all(file, 2999920, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE), "MPI_File_read_at_all");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check(MPI_File_open(MPI_COMM_WORLD, "memory", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
        "MPI_File_open");
  if (argc == 1) {
    scattered_memory();
    many_blocks();
    many_types();
    short_reads();
  }
  one_of_two();
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
