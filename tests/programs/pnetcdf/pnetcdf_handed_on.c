/* Every rank makes a PnetCDF file of its own, and the next rank reads it when a message says that it is
 * there. Then all write one file together. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

enum { elements = 100000 };
static double data[elements];

static void good(int status) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void make(MPI_Comm comm, const char* name) {
  int file = 0, dimension = 0, variable = 0;
  good(ncmpi_create(comm, name, NC_CLOBBER, MPI_INFO_NULL, &file));
  good(ncmpi_def_dim(file, "x", elements, &dimension));
  good(ncmpi_def_var(file, "values", NC_DOUBLE, 1, &dimension, &variable));
  good(ncmpi_enddef(file));
  good(ncmpi_put_var_double_all(file, variable, data));
  good(ncmpi_close(file));
}

int main(int argc, char** argv) {
  int rank = 0, size = 0, file = 0, variable = 0, theirs = 0;
  char name[32];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(name, sizeof name, "own_%d.nc", rank);
  make(MPI_COMM_SELF, name);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &theirs, 1, MPI_INT, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  snprintf(name, sizeof name, "own_%d.nc", theirs);
  good(ncmpi_open(MPI_COMM_SELF, name, NC_NOWRITE, MPI_INFO_NULL, &file));
  good(ncmpi_inq_varid(file, "values", &variable));
  good(ncmpi_get_var_double_all(file, variable, data));
  good(ncmpi_close(file));
  make(MPI_COMM_WORLD, "all.nc");
  MPI_Finalize();
  return 0;
}
