// Views made by every constructor of datatypes. Each type picks some integers out of a frame of `frame_ints`;
// frames of all ranks follow each other in the file. What is written through the view is read back through
// it.
#include "every_mpiio.h"

enum { frame_ints = 64 };

static MPI_Offset next_frame;

// Gives the type the extent of a whole frame, writes two frames through it, reads them again, frees it.
static void use(const char* name, MPI_Datatype type, MPI_File file) {
  MPI_Datatype framed = MPI_DATATYPE_NULL;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  MUST(MPI_Type_create_resized(type, 0, frame_ints * (MPI_Aint)sizeof(int), &framed));
  MUST(MPI_Type_dup(framed, &copy));
  MUST(MPI_Type_commit(&copy));
  int bytes = 0;
  MUST(MPI_Type_size(copy, &bytes));
  int count = 2 * bytes / (int)sizeof(int);
  int values[2 * frame_ints];
  int again[2 * frame_ints] = {0};
  fill(values, count, rank, 30);

  MPI_Offset start = (next_frame + 2 * rank) * frame_ints * (MPI_Offset)sizeof(int);
  next_frame += 2 * ranks;
  MPI_Status status;
  MUST(MPI_File_set_view(file, start, MPI_INT, copy, "native", MPI_INFO_NULL));
  MUST(MPI_File_write_at_all(file, 0, values, count, MPI_INT, &status));
  expect_count(&status, MPI_INT, count);
  settle(file);
  MUST(MPI_File_read_at_all(file, 0, again, count, MPI_INT, &status));
  expect_filled(again, count, rank, 30);

  MPI_Offset displacement = 0;
  MPI_Datatype etype = MPI_DATATYPE_NULL;
  MPI_Datatype filetype = MPI_DATATYPE_NULL;
  char representation[MPI_MAX_DATAREP_STRING];
  MUST(MPI_File_get_view(file, &displacement, &etype, &filetype, representation));
  note("%s: %d bytes in a frame, %s, displaced right: %d", name, bytes, representation,
       displacement == start);
  MUST(MPI_Type_free(&filetype));
  MUST(MPI_Type_free(&copy));
  MUST(MPI_Type_free(&framed));
  MUST(MPI_Type_free(&type));
}

static void regular_types(MPI_File file) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MUST(MPI_Type_contiguous(10, MPI_INT, &type));
  use("contiguous", type, file);
  MUST(MPI_Type_vector(4, 3, 8, MPI_INT, &type));
  use("vector", type, file);
  MUST(MPI_Type_create_hvector(5, 2, 6 * (MPI_Aint)sizeof(int), MPI_INT, &type));
  use("hvector", type, file);
  const int sizes[2] = {8, 8};
  const int part[2] = {4, 3};
  const int starts[2] = {2, 5};
  MUST(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &type));
  use("subarray", type, file);
  MUST(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, MPI_INT, &type));
  use("subarray, Fortran order", type, file);
  const int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  const int processes[2] = {2, 2};
  MUST(MPI_Type_create_darray(4, rank % 4, 2, sizes, distributions, arguments, processes, MPI_ORDER_C,
                              MPI_INT, &type));
  use("darray", type, file);
}

static void irregular_types(MPI_File file) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int lengths[3] = {2, 1, 3};
  const int places[3] = {0, 7, 20};
  const MPI_Aint byte_places[3] = {4, 32, 128};
  MUST(MPI_Type_indexed(3, lengths, places, MPI_INT, &type));
  use("indexed", type, file);
  MUST(MPI_Type_create_hindexed(3, lengths, byte_places, MPI_INT, &type));
  use("hindexed", type, file);
  MUST(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type));
  use("indexed_block", type, file);
  MUST(MPI_Type_create_hindexed_block(3, 2, byte_places, MPI_INT, &type));
  use("hindexed_block", type, file);
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
  const MPI_Datatype members[3] = {MPI_INT, pair, MPI_INT};
  MUST(MPI_Type_create_struct(3, lengths, byte_places, members, &type));
  MUST(MPI_Type_free(&pair));
  use("struct", type, file);
}

void look_through_types(void) {
  MPI_File file = open_fresh(MPI_COMM_WORLD, "views");
  next_frame = 0;
  regular_types(file);
  irregular_types(file);
  // Views that don't use the machine's own representation.
  MPI_Status status;
  int value = 0x01020304;
  int again = 0;
  MPI_Offset end = next_frame * frame_ints * (MPI_Offset)sizeof(int);
  int code = MPI_File_set_view(file, end, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
  if (code == MPI_SUCCESS) {
    MUST(MPI_File_write_at(file, rank, &value, 1, MPI_INT, &status));
    MUST(MPI_File_read_at(file, rank, &again, 1, MPI_INT, &status));
  }
  note("external32: %d", code == MPI_SUCCESS && again == value);
  MUST_FAIL(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "unheard of", MPI_INFO_NULL));
  MUST(MPI_File_close(&file));
}

// A buffer in memory can have a derived type too.
static void scattered_memory(MPI_Datatype column) {
  int matrix[8][8];
  int again[8][8] = {{0}};
  fill(&matrix[0][0], 64, rank, 31);
  MPI_Status status;
  MPI_File file = open_fresh(MPI_COMM_WORLD, "columns");
  MPI_Offset column_bytes = 8 * (MPI_Offset)sizeof(int);
  MUST(MPI_File_write_at(file, rank * column_bytes, &matrix[0][3], 1, column, &status));
  expect_count(&status, column, 1);
  int elements = 0;
  MUST(MPI_Get_elements(&status, MPI_INT, &elements));
  MUST(MPI_File_read_at(file, rank * column_bytes, &again[0][3], 1, column, &status));
  int same = 1;
  for (int row = 0; row < 8; ++row) same = same && again[row][3] == matrix[row][3];
  note("a column of %d elements came back: %d", elements, same);
  MUST(MPI_File_close(&file));
}

// Types by the precision that a Fortran program asks for. They are the library's own and are never freed.
static void types_by_precision(void) {
  MPI_Datatype types[3] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  MUST(MPI_Type_create_f90_integer(9, &types[0]));
  MUST(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &types[1]));
  MUST(MPI_Type_create_f90_complex(6, 30, &types[2]));
  MPI_File file = open_fresh(MPI_COMM_WORLD, "precision");
  const double numbers[2] = {rank + 0.25, rank + 0.5};
  MPI_Offset at = 0;
  for (int t = 0; t < 3; ++t) {
    int size = 0;
    MUST(MPI_Type_size(types[t], &size));
    note("type %d has %d bytes", t, size);
    MUST(MPI_File_write_at(file, at + rank * size, numbers, 1, types[t], MPI_STATUS_IGNORE));
    at += ranks * (MPI_Offset)size;
  }
  MUST(MPI_File_close(&file));
}

void describe_types(void) {
  types_by_precision();
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MUST(MPI_Type_vector(8, 1, 8, MPI_INT, &column));
  MUST(MPI_Type_set_name(column, "column"));
  MUST(MPI_Type_commit(&column));
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Count size = 0;
  MUST(MPI_Type_get_name(column, name, &length));
  MUST(MPI_Type_get_extent(column, &lower, &extent));
  MUST(MPI_Type_size_x(column, &size));
  note("%s: extent %ld, size %lld", name, (long)extent, (long long)size);
  MUST(MPI_Type_get_true_extent(column, &lower, &extent));

  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  int contents[3];
  MPI_Datatype base = MPI_DATATYPE_NULL;
  MUST(MPI_Type_get_envelope(column, &integers, &addresses, &types, &combiner));
  MUST(MPI_Type_get_contents(column, 3, 0, 1, contents, NULL, &base));
  note("made by vector: %d, of %d x %d, stride %d", combiner == MPI_COMBINER_VECTOR, contents[0], contents[1],
       contents[2]);
  scattered_memory(column);
  MUST(MPI_Type_free(&column));
  MUST(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &base));

  struct {
    int first;
    double second;
  } record = {1, 2.0};
  MPI_Aint addresses_of[2];
  MUST(MPI_Get_address(&record, &addresses_of[0]));
  MUST(MPI_Get_address(&record.second, &addresses_of[1]));
  note("distance %ld", (long)MPI_Aint_diff(addresses_of[1], addresses_of[0]));
}
