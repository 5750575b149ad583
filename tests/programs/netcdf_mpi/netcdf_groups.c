// Walks through the groups of a netCDF-4 file by nc_inq_grps, as ncdump and netCDF4-python do, and reads a
// variable of each. The file is opened twice, so that the same numbers mean groups again.
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NC(call) check((call), #call)
static void check(int result, const char* call) {
  if (result == NC_NOERR) return;
  fprintf(stderr, "%s: %s\n", call, nc_strerror(result));
  exit(1);
}

static void define(int group, int length) {
  int dimension, variable, values[16] = {0};
  NC(nc_def_dim(group, "x", (size_t)length, &dimension));
  NC(nc_def_var(group, "v", NC_INT, 1, &dimension, &variable));
  NC(nc_put_var_int(group, variable, values));
}

static void make(const char* path) {
  int file, outer, inner, second;
  NC(nc_create(path, NC_CLOBBER | NC_NETCDF4, &file));
  NC(nc_def_grp(file, "outer", &outer));
  NC(nc_def_grp(outer, "inner", &inner));
  NC(nc_def_grp(file, "second", &second));
  define(inner, 4);
  define(outer, 8);
  define(second, 16);
  NC(nc_close(file));
}

// First asks for the number alone, then for the groups alone.
static void walk(int group) {
  int count = 0, groups[8], variable, values[16];
  if (nc_inq_varid(group, "v", &variable) == NC_NOERR) NC(nc_get_var_int(group, variable, values));
  NC(nc_inq_grps(group, &count, NULL));
  if (count > 0) NC(nc_inq_grps(group, NULL, groups));
  for (int i = 0; i < count; ++i) walk(groups[i]);
}

int main(void) {
  make("groups.nc");
  for (int turn = 0; turn < 2; ++turn) {
    int file, groups[8];
    NC(nc_open("groups.nc", NC_NOWRITE, &file));
    walk(file);
    NC(nc_inq_grps(file, NULL, groups));
    if (nc_inq_varid(groups[1], "nothing", &(int){0}) == NC_NOERR) return 1;
    NC(nc_close(file));
  }
}
