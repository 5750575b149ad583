// Writes a parallel netCDF-4 file: dimensions, coordinate variables, attributes, and a variable with a record
// for each time, of which every rank writes its own columns, first independently, then collectively.
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>

enum { times = 4, rows = 6, columns_per_rank = 8 };

static int rank;
static int ranks;

static void must(int code, const char* what) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "rank %d: %s: %s\n", rank, what, nc_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Returns the variable of the measured values.
static int define(int file, int* column_variable) {
  int dimensions[3];
  int values = 0;
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]), "nc_def_dim");
  must(nc_def_dim(file, "row", rows, &dimensions[1]), "nc_def_dim");
  must(nc_def_dim(file, "column", (size_t)(columns_per_rank * ranks), &dimensions[2]), "nc_def_dim");
  must(nc_def_var(file, "column", NC_DOUBLE, 1, &dimensions[2], column_variable), "nc_def_var");
  must(nc_def_var(file, "values", NC_FLOAT, 3, dimensions, &values), "nc_def_var");
  must(nc_put_att_text(file, values, "units", 1, "K"), "nc_put_att_text");
  must(nc_put_att_int(file, NC_GLOBAL, "ranks", NC_INT, 1, &ranks), "nc_put_att_int");
  must(nc_enddef(file), "nc_enddef");
  must(nc_var_par_access(file, values, NC_COLLECTIVE), "nc_var_par_access");
  return values;
}

static void write_record(int file, int values, size_t time) {
  float data[rows * columns_per_rank];
  for (int i = 0; i < rows * columns_per_rank; ++i) data[i] = (float)((int)time * 1000 + rank * 100 + i);
  const size_t start[3] = {time, 0, (size_t)(rank * columns_per_rank)};
  const size_t count[3] = {1, rows, columns_per_rank};
  must(nc_put_vara_float(file, values, start, count, data), "nc_put_vara_float");
}

static void write_coordinates(int file, int variable) {
  double places[columns_per_rank];
  for (int i = 0; i < columns_per_rank; ++i) places[i] = 0.5 * (rank * columns_per_rank + i);
  const size_t start = (size_t)(rank * columns_per_rank);
  const size_t count = columns_per_rank;
  must(nc_var_par_access(file, variable, NC_INDEPENDENT), "nc_var_par_access");
  must(nc_put_vara_double(file, variable, &start, &count, places), "nc_put_vara_double");
}

int main(int argc, char** argv) {
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int file = 0;
  int column_variable = 0;
  must(nc_create_par("written.nc", NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file),
       "nc_create_par");
  int values = define(file, &column_variable);
  write_coordinates(file, column_variable);
  for (size_t time = 0; time < times; ++time) write_record(file, values, time);
  must(nc_close(file), "nc_close");

  must(nc_open_par("written.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "nc_open_par");
  must(nc_inq_varid(file, "values", &values), "nc_inq_varid");
  float first = 0;
  const size_t place[3] = {times - 1, 0, (size_t)(rank * columns_per_rank)};
  must(nc_get_var1_float(file, values, place, &first), "nc_get_var1_float");
  must(first == (float)((times - 1) * 1000 + rank * 100) ? NC_NOERR : NC_EINVAL, "what was read");
  must(nc_close(file), "nc_close");
  if (rank == 0) printf("%d times of %d x %d values written\n", times, rows, columns_per_rank * ranks);
  MPI_Finalize();
  return 0;
}
