/* Rank 0 makes a netCDF file, the others add a variable each, one after another, and then all read it:
 * messages say when. With `4` it is a netCDF-4 file. Rank 0 also makes the folder of the file. */
#include <mpi.h>
#include <netcdf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { elements = 1000 };
static double data[elements * 8];

static void good(int status) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "%s\n", nc_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void add(int file, int rank) {
  char name[32];
  int dimension = 0, variable = 0;
  snprintf(name, sizeof name, "x_%d", rank);
  good(nc_def_dim(file, name, (size_t)(elements * (rank + 1)), &dimension));
  snprintf(name, sizeof name, "values_%d", rank);
  good(nc_def_var(file, name, NC_DOUBLE, 1, &dimension, &variable));
  good(nc_enddef(file));
  good(nc_put_var_double(file, variable, data));
}

int main(int argc, char** argv) {
  int rank = 0, size = 0, file = 0, variable = 0, baton = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mode = argc > 1 && strcmp(argv[1], "4") == 0 ? NC_NETCDF4 : 0;
  if (rank > 0) {
    MPI_Recv(&baton, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    good(nc_open("handed/on.nc", NC_WRITE, &file));
    good(nc_redef(file));
  } else {
    mkdir("handed", 0777);
    good(nc_create("handed/on.nc", NC_CLOBBER | mode, &file));
  }
  add(file, rank);
  good(nc_close(file));
  if (rank + 1 < size) MPI_Send(&baton, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  MPI_Bcast(&baton, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  good(nc_open("handed/on.nc", NC_NOWRITE, &file));
  good(nc_inq_varid(file, "values_0", &variable));
  good(nc_get_var_double(file, variable, data));
  good(nc_close(file));
  MPI_Finalize();
  return 0;
}
