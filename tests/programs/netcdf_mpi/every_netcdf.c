/* Calls nearly every function of netCDF-C on few data: every way to move data, for every type in memory, in
 * files of the classic format, which the library writes itself, and of netCDF-4, by way of HDF5, alone and
 * with other ranks; groups, types of its own, storage. Prints the same in every run. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                \
  do {                                                                             \
    int status_ = (call);                                                          \
    if (status_ != NC_NOERR) {                                                     \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, nc_strerror(status_)); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                \
    }                                                                              \
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
static const size_t first[2] = {0, 0}, part[2] = {rows, columns}, half[2] = {rows, columns / 2};
static const ptrdiff_t step[2] = {1, 2}, turned[2] = {1, rows};

/* name, type in memory, type in the file */
#define OLD_TYPES(X)               \
  X(text, char, NC_CHAR)           \
  X(schar, signed char, NC_BYTE)   \
  X(uchar, unsigned char, NC_BYTE) \
  X(short, short, NC_SHORT)        \
  X(int, int, NC_INT)              \
  X(long, long, NC_INT)            \
  X(float, float, NC_FLOAT)        \
  X(double, double, NC_DOUBLE)
#define NEW_TYPES(X)                   \
  X(ubyte, unsigned char, NC_UBYTE)    \
  X(ushort, unsigned short, NC_USHORT) \
  X(uint, unsigned, NC_UINT)           \
  X(longlong, long long, NC_INT64)     \
  X(ulonglong, unsigned long long, NC_UINT64)

#define TYPED(name, memory, type)                                               \
  static void move_##name(int file, int variable) {                             \
    memory data[elements], back[elements];                                      \
    for (int i = 0; i < elements; ++i) data[i] = (memory)(i + 1);               \
    CHECK(nc_put_var_##name(file, variable, data));                             \
    CHECK(nc_get_var_##name(file, variable, back));                             \
    CHECK(nc_put_var1_##name(file, variable, first, data));                     \
    CHECK(nc_get_var1_##name(file, variable, first, back));                     \
    CHECK(nc_put_vara_##name(file, variable, first, part, data));               \
    CHECK(nc_get_vara_##name(file, variable, first, part, back));               \
    CHECK(nc_put_vars_##name(file, variable, first, half, step, data));         \
    CHECK(nc_get_vars_##name(file, variable, first, half, step, back));         \
    CHECK(nc_put_varm_##name(file, variable, first, part, NULL, turned, data)); \
    CHECK(nc_get_varm_##name(file, variable, first, part, NULL, turned, back)); \
  }
OLD_TYPES(TYPED)
NEW_TYPES(TYPED)

#define NUMBERS(X)                 \
  X(schar, signed char, NC_BYTE)   \
  X(uchar, unsigned char, NC_BYTE) \
  X(short, short, NC_SHORT)        \
  X(int, int, NC_INT)              \
  X(long, long, NC_INT)            \
  X(float, float, NC_FLOAT)        \
  X(double, double, NC_DOUBLE)
#define PUT_ATTRIBUTE(name, memory, type) \
  CHECK(nc_put_att_##name(file, variable, "of_" #name, type, 2, (memory[]){1, 2}));
#define GET_ATTRIBUTE(name, memory, type) \
  CHECK(nc_get_att_##name(file, variable, "of_" #name, (memory[2]){0}));

static void put_attributes(int file, int variable) {
  NUMBERS(PUT_ATTRIBUTE)
  CHECK(nc_put_att_text(file, variable, "units", 6, "meters"));
  CHECK(nc_put_att_text(file, NC_GLOBAL, "title", 5, "every"));
  CHECK(nc_put_att(file, NC_GLOBAL, "version", NC_INT, 1, &(int){3}));
  CHECK(nc_rename_att(file, NC_GLOBAL, "title", "name"));
  CHECK(nc_put_att_text(file, NC_GLOBAL, "gone", 4, "gone"));
  CHECK(nc_del_att(file, NC_GLOBAL, "gone"));
  CHECK(nc_copy_att(file, variable, "units", file, NC_GLOBAL));
}

static void ask(int file, int variable) {
  int numbers[8], dimensions[8];
  char name[NC_MAX_NAME + 1], path[4096], text[64];
  nc_type type;
  size_t length;
  NUMBERS(GET_ATTRIBUTE)
  CHECK(nc_get_att_text(file, variable, "units", text));
  CHECK(nc_get_att(file, NC_GLOBAL, "version", &numbers[0]));
  CHECK(nc_inq_att(file, variable, "units", &type, &length));
  CHECK(nc_inq_attid(file, variable, "units", &numbers[0]));
  CHECK(nc_inq_atttype(file, variable, "units", &type));
  CHECK(nc_inq_attlen(file, variable, "units", &length));
  CHECK(nc_inq_attname(file, variable, 0, text));
  EXPECT(NC_ENOTATT, nc_get_att_text(file, variable, "none", text));
  CHECK(nc_inq(file, &numbers[0], &numbers[1], &numbers[2], &numbers[3]));
  CHECK(nc_inq_ndims(file, &numbers[0]));
  CHECK(nc_inq_nvars(file, &numbers[1]));
  CHECK(nc_inq_natts(file, &numbers[4]));
  CHECK(nc_inq_unlimdim(file, &numbers[5]));
  CHECK(nc_inq_format(file, &numbers[7]));
  CHECK(nc_inq_format_extended(file, &numbers[6], &numbers[7]));
  CHECK(nc_inq_path(file, &length, path));
  CHECK(nc_inq_dimid(file, "y", &dimensions[0]));
  CHECK(nc_inq_dim(file, dimensions[0], name, &length));
  CHECK(nc_inq_dimname(file, dimensions[0], name));
  CHECK(nc_inq_dimlen(file, dimensions[0], &length));
  CHECK(nc_inq_var(file, variable, name, &type, &numbers[0], dimensions, &numbers[1]));
  CHECK(nc_inq_varid(file, "v_int", &numbers[0]));
  CHECK(nc_inq_varname(file, variable, name));
  CHECK(nc_inq_vartype(file, variable, &type));
  CHECK(nc_inq_varndims(file, variable, &numbers[0]));
  CHECK(nc_inq_vardimid(file, variable, dimensions));
  CHECK(nc_inq_varnatts(file, variable, &numbers[0]));
  EXPECT(NC_ENOTVAR, nc_inq_varid(file, "nothing", &numbers[0]));
  printf("%zu rows\n", length);
}

static int variables[16];

/* Of the old types, and, if there are more, of the new ones. */
static void define(int file, int more) {
  int old, dimensions[2], time, series, i = 0;
  CHECK(nc_set_fill(file, NC_FILL, &old));
  CHECK(nc_def_dim(file, "time", NC_UNLIMITED, &time));
  CHECK(nc_def_dim(file, "y", rows, &dimensions[0]));
  CHECK(nc_def_dim(file, "columns", columns, &dimensions[1]));
  CHECK(nc_rename_dim(file, dimensions[1], "x"));
#define DEFINE(name, memory, type) CHECK(nc_def_var(file, "v_" #name, type, 2, dimensions, &variables[i++]));
  OLD_TYPES(DEFINE)
  if (more) {
    NEW_TYPES(DEFINE)
  }
  CHECK(nc_def_var(file, "sequence", NC_FLOAT, 2, (int[]){time, dimensions[1]}, &series));
  CHECK(nc_rename_var(file, series, "series"));
  CHECK(nc_def_var_fill(file, series, NC_FILL, &(float){-1.5f}));
  put_attributes(file, variables[0]);
  CHECK(nc_enddef(file));
  for (size_t t = 0; t < 3; ++t)
    CHECK(nc_put_vara_float(file, series, (size_t[]){t, 0}, (size_t[]){1, columns}, (float[]){1, 2, 3, 4}));
}

#define MOVE(name, ...) move_##name(file, variables[i++]);

static void classic(void) {
  int file, i = 0, old;
  size_t hint = 8192;
  CHECK(nc_set_default_format(NC_FORMAT_CLASSIC, &old));
  CHECK(nc__create("classic.nc", NC_CLOBBER | NC_64BIT_OFFSET, 0, &hint, &file));
  define(file, 0);
  OLD_TYPES(MOVE)
  CHECK(nc_redef(file));
  CHECK(nc__enddef(file, 0, 4, 0, 4));
  CHECK(nc_sync(file));
  ask(file, variables[0]);
  CHECK(nc_close(file));
  hint = 8192;
  CHECK(nc__open("classic.nc", NC_NOWRITE, &hint, &file));
  ask(file, variables[0]);
  CHECK(nc_close(file));
  CHECK(nc_open("classic.nc", NC_WRITE, &file));
  move_int(file, variables[4]);
  CHECK(nc_close(file));
  CHECK(nc_create("gone.nc", NC_CLOBBER, &file));
  CHECK(nc_abort(file));
  CHECK(nc_create("gone.nc", NC_CLOBBER, &file));
  CHECK(nc_close(file));
  EXPECT(NC_EEXIST, nc_create("gone.nc", NC_NOCLOBBER, &file));
  CHECK(nc_delete("gone.nc"));
  EXPECT(2, nc_open("nothing.nc", NC_NOWRITE, &file));
}

static void storage(int file) {
  int variable, dimensions[2], numbers[4];
  unsigned filter, parameters[8];
  size_t sizes[2], count;
  float preemption;
  CHECK(nc_redef(file));
  CHECK(nc_inq_dimid(file, "y", &dimensions[0]));
  CHECK(nc_inq_dimid(file, "x", &dimensions[1]));
  CHECK(nc_def_var(file, "stored", NC_INT, 2, dimensions, &variable));
  CHECK(nc_def_var_chunking(file, variable, NC_CHUNKED, (size_t[]){1, columns}));
  CHECK(nc_def_var_deflate(file, variable, 1, 1, 2));
  CHECK(nc_def_var_fletcher32(file, variable, 1));
  CHECK(nc_def_var_endian(file, variable, NC_ENDIAN_BIG));
  CHECK(nc_set_var_chunk_cache(file, variable, 1 << 16, 101, 0.5f));
  CHECK(nc_get_var_chunk_cache(file, variable, &sizes[0], &sizes[1], &preemption));
  CHECK(nc_inq_var_chunking(file, variable, &numbers[0], sizes));
  CHECK(nc_inq_var_deflate(file, variable, &numbers[0], &numbers[1], &numbers[2]));
  CHECK(nc_inq_var_fletcher32(file, variable, &numbers[0]));
  CHECK(nc_inq_var_endian(file, variable, &numbers[0]));
  CHECK(nc_inq_var_filter(file, variable, &filter, &count, parameters));
  CHECK(nc_inq_var_fill(file, variable, &numbers[0], &numbers[1]));
  CHECK(nc_def_var(file, "plain", NC_INT, 2, dimensions, &variable));
  CHECK(nc_def_var_chunking(file, variable, NC_CONTIGUOUS, NULL));
  CHECK(nc_enddef(file));
}

static void types(int file) {
  struct pair {
    int a;
    double b[2];
  } pairs[2] = {{1, {2, 3}}, {4, {5, 6}}};
  nc_type compound, opaque, enumeration, sequence, type;
  int variable, dimension, numbers[4];
  char name[NC_MAX_NAME + 1];
  size_t size, count;
  CHECK(nc_redef(file));
  CHECK(nc_def_compound(file, sizeof(struct pair), "pair", &compound));
  CHECK(nc_insert_compound(file, compound, "a", 0, NC_INT));
  CHECK(nc_insert_array_compound(file, compound, "b", 8, NC_DOUBLE, 1, (int[]){2}));
  CHECK(nc_def_opaque(file, 16, "blob", &opaque));
  CHECK(nc_def_enum(file, NC_SHORT, "color", &enumeration));
  CHECK(nc_insert_enum(file, enumeration, "red", &(short){1}));
  CHECK(nc_insert_enum(file, enumeration, "blue", &(short){2}));
  CHECK(nc_def_vlen(file, "list", NC_INT, &sequence));
  CHECK(nc_def_dim(file, "two", 2, &dimension));
  CHECK(nc_def_var(file, "pairs", compound, 1, &dimension, &variable));
  CHECK(nc_put_att(file, variable, "one", compound, 1, pairs));
  CHECK(nc_enddef(file));
  CHECK(nc_put_var(file, variable, pairs));
  CHECK(nc_get_var(file, variable, pairs));
  CHECK(nc_put_var1(file, variable, (size_t[]){1}, pairs));
  CHECK(nc_get_var1(file, variable, (size_t[]){1}, pairs));
  CHECK(nc_put_vara(file, variable, (size_t[]){0}, (size_t[]){2}, pairs));
  CHECK(nc_get_vara(file, variable, (size_t[]){0}, (size_t[]){2}, pairs));
  CHECK(nc_put_vars(file, variable, (size_t[]){0}, (size_t[]){2}, (ptrdiff_t[]){1}, pairs));
  CHECK(nc_get_vars(file, variable, (size_t[]){0}, (size_t[]){2}, (ptrdiff_t[]){1}, pairs));
  CHECK(nc_get_att(file, variable, "one", pairs));
  CHECK(nc_inq_type(file, compound, name, &size));
  CHECK(nc_inq_typeid(file, "pair", &type));
  CHECK(nc_inq_type_equal(file, compound, file, opaque, &numbers[0]));
  CHECK(nc_inq_user_type(file, compound, name, &size, &type, &count, &numbers[0]));
  CHECK(nc_inq_compound(file, compound, name, &size, &count));
  CHECK(nc_inq_compound_name(file, compound, name));
  CHECK(nc_inq_compound_size(file, compound, &size));
  CHECK(nc_inq_compound_nfields(file, compound, &count));
  CHECK(nc_inq_compound_field(file, compound, 1, name, &size, &type, &numbers[0], &numbers[1]));
  CHECK(nc_inq_compound_fieldname(file, compound, 1, name));
  CHECK(nc_inq_compound_fieldindex(file, compound, "b", &numbers[0]));
  CHECK(nc_inq_compound_fieldoffset(file, compound, 1, &size));
  CHECK(nc_inq_compound_fieldtype(file, compound, 1, &type));
  CHECK(nc_inq_compound_fieldndims(file, compound, 1, &numbers[0]));
  CHECK(nc_inq_compound_fielddim_sizes(file, compound, 1, numbers));
  CHECK(nc_inq_vlen(file, sequence, name, &size, &type));
  CHECK(nc_inq_enum(file, enumeration, name, &type, &size, &count));
  CHECK(nc_inq_enum_member(file, enumeration, 1, name, &(short){0}));
  CHECK(nc_inq_enum_ident(file, enumeration, 2, name));
  CHECK(nc_inq_opaque(file, opaque, name, &size));
  CHECK(nc_inq_typeids(file, &numbers[0], numbers));
}

static void groups(int file) {
  int outer, inner, told, number, numbers[64];
  char name[NC_MAX_NAME + 1];
  size_t length;
  CHECK(nc_redef(file));
  CHECK(nc_def_grp(file, "out", &outer));
  CHECK(nc_rename_grp(outer, "outer"));
  CHECK(nc_def_grp(outer, "inner", &inner));
  int dimension, variable;
  CHECK(nc_def_dim(inner, "z", 4, &dimension));
  CHECK(nc_def_var(inner, "w", NC_FLOAT, 1, &dimension, &variable));
  CHECK(nc_enddef(file));
  CHECK(nc_put_var_float(inner, variable, (float[]){1, 2, 3, 4}));
  CHECK(nc_inq_ncid(file, "outer", &told));
  CHECK(nc_inq_grp_ncid(told, "inner", &told));
  CHECK(nc_inq_grp_full_ncid(file, "/outer/inner", &told));
  CHECK(nc_inq_grp_parent(told, &told));
  CHECK(nc_inq_grps(file, &number, numbers));
  CHECK(nc_inq_grpname(inner, name));
  CHECK(nc_inq_grpname_full(inner, &length, name));
  CHECK(nc_inq_grpname_len(inner, &length));
  CHECK(nc_inq_varids(inner, &number, numbers));
  CHECK(nc_inq_dimids(inner, &number, numbers, 1));
  CHECK(nc_inq_unlimdims(file, &number, numbers));
  CHECK(nc_get_var1_float(inner, variable, (size_t[]){1}, (float[1]){0}));
}

static void strings(int file) {
  const char* words[2] = {"alpha", "be"};
  char* back[2];
  int variable, dimension;
  CHECK(nc_redef(file));
  CHECK(nc_inq_dimid(file, "two", &dimension));
  CHECK(nc_def_var(file, "words", NC_STRING, 1, &dimension, &variable));
  CHECK(nc_put_att_string(file, variable, "names", 2, words));
  CHECK(nc_enddef(file));
  CHECK(nc_put_var_string(file, variable, words));
  CHECK(nc_get_var_string(file, variable, back));
  nc_free_string(2, back);
  CHECK(nc_put_var1_string(file, variable, (size_t[]){1}, words));
  CHECK(nc_get_var1_string(file, variable, (size_t[]){1}, back));
  nc_free_string(1, back);
  CHECK(nc_put_vara_string(file, variable, (size_t[]){0}, (size_t[]){2}, words));
  CHECK(nc_get_vara_string(file, variable, (size_t[]){0}, (size_t[]){2}, back));
  nc_free_string(2, back);
  CHECK(nc_get_att_string(file, variable, "names", back));
  nc_free_string(2, back);
}

static void netcdf4(void) {
  int file, other, i = 0, number;
  size_t size, count;
  float preemption;
  CHECK(nc_set_chunk_cache(1 << 20, 1009, 0.75f));
  CHECK(nc_get_chunk_cache(&size, &count, &preemption));
  CHECK(nc_create("four.nc", NC_CLOBBER | NC_NETCDF4, &file));
  define(file, 1);
  OLD_TYPES(MOVE)
  NEW_TYPES(MOVE)
  ask(file, variables[0]);
  storage(file);
  types(file);
  groups(file);
  strings(file);
  CHECK(nc_create("copy.nc", NC_CLOBBER | NC_NETCDF4, &other));
  CHECK(nc_def_dim(other, "y", rows, &number));
  CHECK(nc_def_dim(other, "x", columns, &number));
  CHECK(nc_copy_var(file, variables[4], other));
  CHECK(nc_close(other));
  CHECK(nc_close(file));
  EXPECT(NC_EBADID, nc_inq_nvars(file, &number));
}

static void parallel(int rank, int ranks) {
  int file, dimension, variable;
  CHECK(nc_create_par("parallel.nc", NC_CLOBBER | NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  CHECK(nc_def_dim(file, "x", 4 * (size_t)ranks, &dimension));
  CHECK(nc_def_var(file, "v", NC_INT, 1, &dimension, &variable));
  CHECK(nc_enddef(file));
  CHECK(nc_var_par_access(file, variable, NC_COLLECTIVE));
  CHECK(nc_put_vara_int(file, variable, (size_t[]){4 * (size_t)rank}, (size_t[]){4}, (int[]){1, 2, 3, 4}));
  CHECK(nc_close(file));
  CHECK(nc_open_par("parallel.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  CHECK(nc_get_vara_int(file, variable, (size_t[]){4 * (size_t)rank}, (size_t[]){4}, (int[4]){0}));
  CHECK(nc_close(file));
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    classic();
    netcdf4();
  }
  parallel(rank, ranks);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
