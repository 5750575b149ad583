/* A simulation on a grid whose rows are shared evenly: writes steps to a netCDF file in the ways that PnetCDF
 * has, then reads what its neighbor wrote. `pnetcdf_steps read` only reads. */
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

enum { rows = 4, columns = 8, steps = 3, ghosts = 1 };
static int rank, ranks;

static void write_steps(void) {
  int file, time, y, x, all, u, v, w, mask, owner, requests[2], statuses[2];
  float cells[rows * columns], framed[rows + 2 * ghosts][columns + 2 * ghosts];
  MPI_Datatype inner;
  int sizes[2] = {rows + 2 * ghosts, columns + 2 * ghosts}, part[2] = {rows, columns},
      at[2] = {ghosts, ghosts};
  for (int i = 0; i < rows * columns; ++i) cells[i] = (float)(rank * 100 + i);
  for (int i = 0; i < rows + 2 * ghosts; ++i)
    for (int j = 0; j < columns + 2 * ghosts; ++j) framed[i][j] = (float)(i * j + rank);
  MPI_Type_create_subarray(2, sizes, part, at, MPI_ORDER_C, MPI_FLOAT, &inner);
  MPI_Type_commit(&inner);

  CHECK(ncmpi_create(MPI_COMM_WORLD, "steps.nc", NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &file));
  CHECK(ncmpi_put_att_text(file, NC_GLOBAL, "title", 5, "steps"));
  CHECK(ncmpi_def_dim(file, "time", NC_UNLIMITED, &time));
  CHECK(ncmpi_def_dim(file, "y", rows * (MPI_Offset)ranks, &y));
  CHECK(ncmpi_def_dim(file, "x", columns, &x));
  CHECK(ncmpi_def_dim(file, "rank", ranks, &all));
  CHECK(ncmpi_def_var(file, "u", NC_FLOAT, 3, (int[]){time, y, x}, &u));
  CHECK(ncmpi_def_var(file, "v", NC_FLOAT, 3, (int[]){time, y, x}, &v));
  CHECK(ncmpi_def_var(file, "w", NC_DOUBLE, 3, (int[]){time, y, x}, &w));
  CHECK(ncmpi_def_var(file, "mask", NC_INT, 2, (int[]){y, x}, &mask));
  CHECK(ncmpi_def_var(file, "owner", NC_INT, 1, &all, &owner));
  CHECK(ncmpi_def_var_fill(file, mask, 0, &(int){-7}));
  CHECK(ncmpi_put_att_float(file, u, "range", NC_FLOAT, 2, (float[]){0, 100}));
  CHECK(ncmpi_enddef(file));

  CHECK(ncmpi_buffer_attach(file, 4096));
  for (int step = 0; step < steps; ++step) {
    MPI_Offset start[3] = {step, rows * (MPI_Offset)rank, 0}, count[3] = {1, rows, columns};
    CHECK(ncmpi_put_vara_float_all(file, u, start, count, cells));
    CHECK(ncmpi_iput_vara(file, v, start, count, framed, 1, inner, &requests[0]));
    CHECK(ncmpi_bput_vara_float(file, w, start, count, cells, &requests[1]));
    CHECK(ncmpi_wait_all(file, 2, requests, statuses));
  }
  CHECK(ncmpi_buffer_detach(file));
  /* The first and the last of the own rows. */
  MPI_Offset head[2] = {rows * (MPI_Offset)rank, 0}, tail[2] = {rows * (MPI_Offset)rank + rows - 1, 0},
             row[2] = {1, columns};
  MPI_Offset *starts[2] = {head, tail}, *counts[2] = {row, row};
  int flags[2 * columns] = {rank};
  CHECK(ncmpi_put_varn_int_all(file, mask, 2, starts, counts, flags));
  CHECK(ncmpi_begin_indep_data(file));
  CHECK(ncmpi_put_var1_int(file, owner, &(MPI_Offset){rank}, &rank));
  CHECK(ncmpi_end_indep_data(file));
  CHECK(ncmpi_close(file));
  MPI_Type_free(&inner);
}

static void read_steps(void) {
  int file, u, w, owner, request, status, found, neighbor = (rank + 1) % ranks;
  float cells[rows * columns];
  double wide[rows * columns];
  char title[6] = "";
  MPI_Offset length;
  CHECK(ncmpi_open(MPI_COMM_WORLD, "steps.nc", NC_NOWRITE, MPI_INFO_NULL, &file));
  CHECK(ncmpi_get_att_text(file, NC_GLOBAL, "title", title));
  CHECK(ncmpi_inq_varid(file, "u", &u));
  CHECK(ncmpi_inq_varid(file, "w", &w));
  CHECK(ncmpi_inq_varid(file, "owner", &owner));
  CHECK(ncmpi_inq_unlimdim(file, &found));
  CHECK(ncmpi_inq_dimlen(file, found, &length));
  for (MPI_Offset step = 0; step < length; ++step) {
    MPI_Offset start[3] = {step, rows * (MPI_Offset)neighbor, 0}, count[3] = {1, rows, columns};
    CHECK(ncmpi_get_vara_float_all(file, u, start, count, cells));
    CHECK(ncmpi_iget_vara_double(file, w, start, count, wide, &request));
    CHECK(ncmpi_wait_all(file, 1, &request, &status));
  }
  CHECK(ncmpi_get_var1_int_all(file, owner, &(MPI_Offset){neighbor}, &found));
  CHECK(ncmpi_close(file));
  if (rank == 0) printf("%lld steps\n", (long long)length);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2) write_steps();
  read_steps();
  MPI_Finalize();
  return 0;
}
