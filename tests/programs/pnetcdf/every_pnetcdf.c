/* Calls nearly every function of PnetCDF on few data: every way to move data, for every type in memory, by
 * all ranks together and by each alone, waiting and not; and what files are made of. Prints the same in every
 * run. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                   \
  do {                                                                                \
    int status_ = (call);                                                             \
    if (status_ != NC_NOERR) {                                                        \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, ncmpi_strerror(status_)); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                   \
    }                                                                                 \
  } while (0)
#define EXPECT(error, call)                                               \
  do {                                                                    \
    int status_ = (call);                                                 \
    if (status_ != (error)) {                                             \
      fprintf(stderr, "line %d: %s gave %d\n", __LINE__, #call, status_); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                       \
    }                                                                     \
  } while (0)

enum { rows = 2, columns = 4, elements = rows * columns };

/* name, type in memory, type in the file, type of MPI */
#define TYPES(X)                                                      \
  X(text, char, NC_CHAR, MPI_CHAR)                                    \
  X(schar, signed char, NC_BYTE, MPI_SIGNED_CHAR)                     \
  X(uchar, unsigned char, NC_UBYTE, MPI_UNSIGNED_CHAR)                \
  X(short, short, NC_SHORT, MPI_SHORT)                                \
  X(ushort, unsigned short, NC_USHORT, MPI_UNSIGNED_SHORT)            \
  X(int, int, NC_INT, MPI_INT)                                        \
  X(uint, unsigned, NC_UINT, MPI_UNSIGNED)                            \
  X(long, long, NC_INT64, MPI_LONG)                                   \
  X(longlong, long long, NC_INT64, MPI_LONG_LONG)                     \
  X(ulonglong, unsigned long long, NC_UINT64, MPI_UNSIGNED_LONG_LONG) \
  X(float, float, NC_FLOAT, MPI_FLOAT)                                \
  X(double, double, NC_DOUBLE, MPI_DOUBLE)

static int rank, ranks;

/* The part of a variable that belongs to this rank, in several spellings. */
static MPI_Offset first[2], part[2] = {rows, columns}, half[2] = {rows, columns / 2}, step[2] = {1, 2};
static MPI_Offset turned[2] = {1, rows}, half_turned[2] = {1, rows};
static MPI_Offset piece0[2], piece1[2], piece_counts[2] = {1, 2};
static MPI_Offset *pieces[2] = {piece0, piece1}, *counts_of_pieces[2] = {piece_counts, piece_counts};
static MPI_Offset *starts[2], *counts[2], *steps[2], *maps[2];

static void place(void) {
  first[0] = piece0[0] = rows * (MPI_Offset)rank;
  first[1] = piece0[1] = 0;
  piece1[0] = piece0[0] + 1;
  piece1[1] = 1;
  for (int i = 0; i < 2; ++i) {
    starts[i] = first;
    counts[i] = half;
    steps[i] = step;
    maps[i] = half_turned;
  }
}

/* All that moves data: OF is how functions are called, `_all` or nothing behind their names. */
#define MOVES(name, memory, all)                                                           \
  CHECK(ncmpi_put_var1_##name##all(file, variable, first, data));                          \
  CHECK(ncmpi_get_var1_##name##all(file, variable, first, back));                          \
  CHECK(ncmpi_put_vara_##name##all(file, variable, first, part, data));                    \
  CHECK(ncmpi_get_vara_##name##all(file, variable, first, part, back));                    \
  CHECK(ncmpi_put_vars_##name##all(file, variable, first, half, step, data));              \
  CHECK(ncmpi_get_vars_##name##all(file, variable, first, half, step, back));              \
  CHECK(ncmpi_put_varm_##name##all(file, variable, first, part, NULL, turned, data));      \
  CHECK(ncmpi_get_varm_##name##all(file, variable, first, half, step, half_turned, back)); \
  CHECK(ncmpi_put_varn_##name##all(file, variable, 2, pieces, counts_of_pieces, data));    \
  CHECK(ncmpi_get_varn_##name##all(file, variable, 2, pieces, NULL, back));                \
  CHECK(ncmpi_put_var_##name##all(file, small, data));                                     \
  CHECK(ncmpi_get_var_##name##all(file, small, back));                                     \
  CHECK(ncmpi_mput_var_##name##all(file, 2, both_small, outs));                            \
  CHECK(ncmpi_mget_var_##name##all(file, 2, both_small, ins));                             \
  CHECK(ncmpi_mput_var1_##name##all(file, 2, both, starts, outs));                         \
  CHECK(ncmpi_mget_var1_##name##all(file, 2, both, starts, ins));                          \
  CHECK(ncmpi_mput_vara_##name##all(file, 2, both, starts, counts, outs));                 \
  CHECK(ncmpi_mget_vara_##name##all(file, 2, both, starts, counts, ins));                  \
  CHECK(ncmpi_mput_vars_##name##all(file, 2, both, starts, counts, steps, outs));          \
  CHECK(ncmpi_mget_vars_##name##all(file, 2, both, starts, counts, steps, ins));           \
  CHECK(ncmpi_mput_varm_##name##all(file, 2, both, starts, counts, steps, maps, outs));    \
  CHECK(ncmpi_mget_varm_##name##all(file, 2, both, starts, counts, steps, maps, ins));

#define POSTS(name, how, memory_of)                                                                       \
  CHECK(ncmpi_##how##_var1_##name(file, variable, first, memory_of, &requests[0]));                       \
  CHECK(ncmpi_##how##_vara_##name(file, variable, first, part, memory_of, &requests[1]));                 \
  CHECK(ncmpi_##how##_vars_##name(file, variable, first, half, step, memory_of, &requests[2]));           \
  CHECK(ncmpi_##how##_varm_##name(file, variable, first, part, NULL, turned, memory_of, &requests[3]));   \
  CHECK(ncmpi_##how##_varn_##name(file, variable, 2, pieces, counts_of_pieces, memory_of, &requests[4])); \
  CHECK(ncmpi_##how##_var_##name(file, small, memory_of, &requests[5]));                                  \
  CHECK(ncmpi_wait_all(file, 6, requests, statuses));

#define TYPED(name, memory, file_type, mpi_type)                                            \
  static void move_##name(int file, int variable, int small, int alone) {                   \
    memory data[elements], back[elements], *outs[2] = {data, data}, *ins[2] = {back, back}; \
    int both[2] = {variable, variable}, both_small[2] = {small, small};                     \
    int requests[6], statuses[6];                                                           \
    for (int i = 0; i < elements; ++i) data[i] = (memory)(i + 1);                           \
    if (alone) {                                                                            \
      MOVES(name, memory, )                                                                 \
    } else {                                                                                \
      MOVES(name, memory, _all)                                                             \
      POSTS(name, iput, data)                                                               \
      POSTS(name, bput, data)                                                               \
      POSTS(name, iget, back)                                                               \
    }                                                                                       \
  }
TYPES(TYPED)

/* The same with datatypes of MPI. */
#define FLEXIBLE(all)                                                                             \
  CHECK(ncmpi_put_var1##all(file, variable, first, data, 1, MPI_INT));                            \
  CHECK(ncmpi_get_var1##all(file, variable, first, back, 1, MPI_INT));                            \
  CHECK(ncmpi_put_vara##all(file, variable, first, part, data, 1, every_other));                  \
  CHECK(ncmpi_get_vara##all(file, variable, first, part, back, elements, MPI_INT));               \
  CHECK(ncmpi_put_vars##all(file, variable, first, half, step, data, elements / 2, MPI_INT));     \
  CHECK(ncmpi_get_vars##all(file, variable, first, half, step, back, elements / 2, MPI_INT));     \
  CHECK(ncmpi_put_varm##all(file, variable, first, part, NULL, turned, data, elements, MPI_INT)); \
  CHECK(ncmpi_get_varm##all(file, variable, first, part, NULL, turned, back, elements, MPI_INT)); \
  CHECK(ncmpi_put_varn##all(file, variable, 2, pieces, counts_of_pieces, data, 4, MPI_INT));      \
  CHECK(ncmpi_get_varn##all(file, variable, 2, pieces, counts_of_pieces, back, 4, MPI_INT));      \
  CHECK(ncmpi_put_vard##all(file, variable, filetype, data, elements, MPI_INT));                  \
  CHECK(ncmpi_get_vard##all(file, variable, filetype, back, elements, MPI_INT));                  \
  CHECK(ncmpi_put_var##all(file, small, data, elements, MPI_INT));                                \
  CHECK(ncmpi_get_var##all(file, small, back, elements, MPI_INT));                                \
  CHECK(ncmpi_mput_var##all(file, 2, both_small, outs, many, types));                             \
  CHECK(ncmpi_mget_var##all(file, 2, both_small, ins, many, types));                              \
  CHECK(ncmpi_mput_var1##all(file, 2, both, starts, outs, one, types));                           \
  CHECK(ncmpi_mget_var1##all(file, 2, both, starts, ins, one, types));                            \
  CHECK(ncmpi_mput_vara##all(file, 2, both, starts, counts, outs, few, types));                   \
  CHECK(ncmpi_mget_vara##all(file, 2, both, starts, counts, ins, few, types));                    \
  CHECK(ncmpi_mput_vars##all(file, 2, both, starts, counts, steps, outs, few, types));            \
  CHECK(ncmpi_mget_vars##all(file, 2, both, starts, counts, steps, ins, few, types));             \
  CHECK(ncmpi_mput_varm##all(file, 2, both, starts, counts, steps, maps, outs, few, types));      \
  CHECK(ncmpi_mget_varm##all(file, 2, both, starts, counts, steps, maps, ins, few, types));

#define POST_FLEXIBLE(how, memory)                                                                           \
  CHECK(ncmpi_##how##_var1(file, variable, first, memory, 1, MPI_INT, &requests[0]));                        \
  CHECK(ncmpi_##how##_vara(file, variable, first, part, memory, 1, every_other, &requests[1]));              \
  CHECK(ncmpi_##how##_vars(file, variable, first, half, step, memory, elements / 2, MPI_INT, &requests[2])); \
  CHECK(ncmpi_##how##_varm(file, variable, first, part, NULL, turned, memory, elements, MPI_INT,             \
                           &requests[3]));                                                                   \
  CHECK(ncmpi_##how##_varn(file, variable, 2, pieces, counts_of_pieces, memory, 4, MPI_INT, &requests[4]));  \
  CHECK(ncmpi_##how##_var(file, small, memory, elements, MPI_INT, &requests[5]));                            \
  CHECK(ncmpi_wait_all(file, 6, requests, statuses));

static void move_flexible(int file, int variable, int small, int alone) {
  int data[2 * elements], back[2 * elements], requests[6], statuses[6];
  int both[2] = {variable, variable}, both_small[2] = {small, small};
  void *outs[2] = {data, data}, *ins[2] = {back, back};
  MPI_Offset many[2] = {elements, elements}, one[2] = {1, 1}, few[2] = {elements / 2, elements / 2};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, every_other, filetype;
  for (int i = 0; i < 2 * elements; ++i) data[i] = i + 1;
  MPI_Type_vector(elements, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  int sizes[2] = {rows * ranks, columns}, subsizes[2] = {rows, columns}, at[2] = {rows * rank, 0};
  MPI_Type_create_subarray(2, sizes, subsizes, at, MPI_ORDER_C, MPI_INT, &filetype);
  MPI_Type_commit(&filetype);
  if (alone) {
    FLEXIBLE()
  } else {
    FLEXIBLE(_all)
    POST_FLEXIBLE(iput, data)
    POST_FLEXIBLE(bput, data)
    POST_FLEXIBLE(iget, back)
    /* Without a datatype, memory is as the file is. */
    CHECK(ncmpi_put_vara_all(file, variable, first, part, data, 0, MPI_DATATYPE_NULL));
    CHECK(ncmpi_get_vara_all(file, variable, first, part, back, 0, MPI_DATATYPE_NULL));
    /* With -1, the library knows from the part how many elements there are. */
    CHECK(ncmpi_put_vara_all(file, variable, first, part, data, -1, MPI_INT));
    CHECK(ncmpi_get_vara_all(file, variable, first, part, back, -1, MPI_INT));
  }
  MPI_Type_free(&every_other);
  MPI_Type_free(&filetype);
}

/* name, type in memory, type in the file */
#define NUMBER_ATTRIBUTES(X)                  \
  X(schar, signed char, NC_BYTE)              \
  X(uchar, unsigned char, NC_UBYTE)           \
  X(short, short, NC_SHORT)                   \
  X(ushort, unsigned short, NC_USHORT)        \
  X(int, int, NC_INT)                         \
  X(uint, unsigned, NC_UINT)                  \
  X(long, long, NC_INT64)                     \
  X(longlong, long long, NC_INT64)            \
  X(ulonglong, unsigned long long, NC_UINT64) \
  X(float, float, NC_FLOAT)                   \
  X(double, double, NC_DOUBLE)
#define PUT_ATTRIBUTE(name, memory, type) \
  CHECK(ncmpi_put_att_##name(file, variable, "of_" #name, type, 2, (memory[]){1, 2}));
#define GET_ATTRIBUTE(name, memory, type) \
  CHECK(ncmpi_get_att_##name(file, variable, "of_" #name, (memory[2]){0}));

static void put_attributes(int file, int variable) {
  NUMBER_ATTRIBUTES(PUT_ATTRIBUTE)
  CHECK(ncmpi_put_att_text(file, variable, "units", 6, "meters"));
  CHECK(ncmpi_put_att_text(file, NC_GLOBAL, "title", 5, "every"));
  CHECK(ncmpi_put_att(file, NC_GLOBAL, "version", NC_INT, 1, &(int){3}));
  CHECK(ncmpi_rename_att(file, NC_GLOBAL, "title", "name"));
  CHECK(ncmpi_put_att_text(file, NC_GLOBAL, "gone", 4, "gone"));
  CHECK(ncmpi_del_att(file, NC_GLOBAL, "gone"));
  CHECK(ncmpi_copy_att(file, variable, "units", file, NC_GLOBAL));
}

static void get_attributes(int file, int variable) {
  char text[64];
  int number;
  nc_type type;
  MPI_Offset length;
  NUMBER_ATTRIBUTES(GET_ATTRIBUTE)
  CHECK(ncmpi_get_att_text(file, variable, "units", text));
  CHECK(ncmpi_get_att(file, NC_GLOBAL, "version", &number));
  CHECK(ncmpi_inq_att(file, variable, "units", &type, &length));
  CHECK(ncmpi_inq_attid(file, variable, "units", &number));
  CHECK(ncmpi_inq_atttype(file, variable, "units", &type));
  CHECK(ncmpi_inq_attlen(file, variable, "units", &length));
  CHECK(ncmpi_inq_attname(file, variable, 0, text));
  EXPECT(NC_ENOTATT, ncmpi_get_att_text(file, variable, "none", text));
  if (rank == 0) printf("attribute %lld bytes\n", (long long)length);
}

static void ask(int file, int variable) {
  int numbers[8], dimensions[8];
  char name[NC_MAX_NAME + 1], path[4096];
  nc_type type;
  MPI_Offset length, bytes;
  MPI_Info info;
  CHECK(ncmpi_inq(file, &numbers[0], &numbers[1], &numbers[2], &numbers[3]));
  CHECK(ncmpi_inq_ndims(file, &numbers[0]));
  CHECK(ncmpi_inq_nvars(file, &numbers[1]));
  CHECK(ncmpi_inq_num_rec_vars(file, &numbers[2]));
  CHECK(ncmpi_inq_num_fix_vars(file, &numbers[3]));
  CHECK(ncmpi_inq_natts(file, &numbers[4]));
  CHECK(ncmpi_inq_unlimdim(file, &numbers[5]));
  CHECK(ncmpi_inq_nreqs(file, &numbers[6]));
  CHECK(ncmpi_inq_format(file, &numbers[7]));
  CHECK(ncmpi_inq_version(file, &numbers[7]));
  CHECK(ncmpi_inq_striping(file, &numbers[6], &numbers[7]));
  CHECK(ncmpi_inq_dimid(file, "y", &dimensions[0]));
  CHECK(ncmpi_inq_dim(file, dimensions[0], name, &length));
  CHECK(ncmpi_inq_dimname(file, dimensions[0], name));
  CHECK(ncmpi_inq_dimlen(file, dimensions[0], &length));
  CHECK(ncmpi_inq_var(file, variable, name, &type, &numbers[0], dimensions, &numbers[1]));
  CHECK(ncmpi_inq_varid(file, "v_int", &numbers[0]));
  CHECK(ncmpi_inq_varname(file, variable, name));
  CHECK(ncmpi_inq_vartype(file, variable, &type));
  CHECK(ncmpi_inq_varndims(file, variable, &numbers[0]));
  CHECK(ncmpi_inq_vardimid(file, variable, dimensions));
  CHECK(ncmpi_inq_varnatts(file, variable, &numbers[0]));
  CHECK(ncmpi_inq_varoffset(file, variable, &length));
  CHECK(ncmpi_inq_var_fill(file, variable, &numbers[0], &bytes));
  CHECK(ncmpi_inq_put_size(file, &bytes));
  CHECK(ncmpi_inq_get_size(file, &bytes));
  CHECK(ncmpi_inq_header_size(file, &bytes));
  CHECK(ncmpi_inq_header_extent(file, &bytes));
  CHECK(ncmpi_inq_recsize(file, &bytes));
  CHECK(ncmpi_inq_files_opened(&numbers[0], NULL));
  CHECK(ncmpi_inq_path(file, &numbers[0], path));
  CHECK(ncmpi_inq_file_info(file, &info));
  MPI_Info_free(&info);
  CHECK(ncmpi_get_file_info(file, &info));
  MPI_Info_free(&info);
  EXPECT(NC_ENOTVAR, ncmpi_inq_varid(file, "nothing", &numbers[0]));
  if (rank == 0)
    printf("%d dimensions, the first of %lld\n", dimensions[0] + 1, (long long)length > 0 ? 1LL : 0LL);
}

static int variables[16], smalls[16];

static int define(void) {
  int file, old, dimensions[2], small_dimension, record[2], series, filled;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "nc_var_align_size", "64");
  CHECK(ncmpi_set_default_format(NC_FORMAT_CLASSIC, &old));
  CHECK(ncmpi_inq_default_format(&old));
  CHECK(ncmpi_create(MPI_COMM_WORLD, "every.nc", NC_CLOBBER | NC_64BIT_DATA, info, &file));
  MPI_Info_free(&info);
  CHECK(ncmpi_set_fill(file, NC_NOFILL, &old));
  CHECK(ncmpi_def_dim(file, "time", NC_UNLIMITED, &record[0]));
  CHECK(ncmpi_def_dim(file, "y", rows * (MPI_Offset)ranks, &dimensions[0]));
  CHECK(ncmpi_def_dim(file, "columns", columns, &dimensions[1]));
  CHECK(ncmpi_def_dim(file, "small", elements, &small_dimension));
  CHECK(ncmpi_rename_dim(file, dimensions[1], "x"));
  int i = 0;
#define DEFINE(name, memory, file_type, mpi_type)                                  \
  CHECK(ncmpi_def_var(file, "v_" #name, file_type, 2, dimensions, &variables[i])); \
  CHECK(ncmpi_def_var(file, "s_" #name, file_type, 1, &small_dimension, &smalls[i++]));
  TYPES(DEFINE)
  record[1] = dimensions[1];
  CHECK(ncmpi_def_var(file, "sequence", NC_FLOAT, 2, record, &series));
  CHECK(ncmpi_rename_var(file, series, "series"));
  CHECK(ncmpi_def_var_fill(file, series, 0, &(float){-1.5f}));
  CHECK(ncmpi_def_var(file, "filled", NC_DOUBLE, 0, NULL, &filled));
  CHECK(ncmpi_def_var_fill(file, filled, 0, NULL));
  put_attributes(file, variables[0]);
  CHECK(ncmpi_enddef(file));
  CHECK(ncmpi_redef(file));
  CHECK(ncmpi__enddef(file, 512, 64, 0, 64));
  CHECK(ncmpi_fill_var_rec(file, series, 0));
  CHECK(ncmpi_fill_var_rec(file, series, 1));
  return file;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  place();
  int file = define(), i = 0;
  CHECK(ncmpi_buffer_attach(file, 1 << 16));
#define TOGETHER(name, ...) move_##name(file, variables[i], smalls[i], 0), ++i;
  TYPES(TOGETHER)
  move_flexible(file, variables[5], smalls[5], 0);
  MPI_Offset bytes;
  int request, status;
  CHECK(ncmpi_inq_buffer_usage(file, &bytes));
  CHECK(ncmpi_inq_buffer_size(file, &bytes));
  CHECK(ncmpi_iput_vara_int(file, variables[5], first, part, (int[elements]){0}, &request));
  CHECK(ncmpi_cancel(file, 1, &request, &status));
  CHECK(ncmpi_iput_vara_int(file, variables[5], first, part, (int[elements]){0}, NULL));
  CHECK(ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL));
  CHECK(ncmpi_buffer_detach(file));
  CHECK(ncmpi_begin_indep_data(file));
  i = 0;
#define ALONE(name, ...) move_##name(file, variables[i], smalls[i], 1), ++i;
  TYPES(ALONE)
  move_flexible(file, variables[5], smalls[5], 1);
  CHECK(ncmpi_iget_vara_int(file, variables[5], first, part, (int[elements]){0}, &request));
  CHECK(ncmpi_wait(file, 1, &request, &status));
  CHECK(ncmpi_end_indep_data(file));
  CHECK(ncmpi_sync(file));
  CHECK(ncmpi_flush(file));
  CHECK(ncmpi_sync_numrecs(file));
  get_attributes(file, variables[0]);
  ask(file, variables[5]);
  CHECK(ncmpi_close(file));

  CHECK(ncmpi_inq_file_format("every.nc", &status));
  CHECK(ncmpi_open(MPI_COMM_WORLD, "every.nc", NC_NOWRITE, MPI_INFO_NULL, &file));
  get_attributes(file, variables[0]);
  CHECK(ncmpi_close(file));
  EXPECT(NC_EBADID, ncmpi_close(file));
  EXPECT(NC_ENOENT, ncmpi_open(MPI_COMM_WORLD, "nothing.nc", NC_NOWRITE, MPI_INFO_NULL, &file));
  char own[] = "own_0.nc";
  own[4] = (char)('0' + rank);
  CHECK(ncmpi_create(MPI_COMM_SELF, own, NC_CLOBBER, MPI_INFO_NULL, &file));
  CHECK(ncmpi_abort(file));
  if (rank == 0) {
    CHECK(ncmpi_create(MPI_COMM_SELF, "own_0.nc", NC_CLOBBER, MPI_INFO_NULL, &file));
    CHECK(ncmpi_close(file));
    CHECK(ncmpi_delete("own_0.nc", MPI_INFO_NULL));
    printf("done\n");
  }
  MPI_Finalize();
  return 0;
}
