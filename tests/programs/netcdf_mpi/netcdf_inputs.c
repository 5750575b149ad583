// netcdf_inputs make: files of each classic format that hold zeros, laid out as netCDF-C does it. Without an
// argument: reads them. netcdf_inputs make4, netcdf_inputs read4: the same with a file of the format
// netCDF-4.
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NC(call) check((call), #call)
static void check(int result, const char* call) {
  if (result == NC_NOERR) return;
  fprintf(stderr, "%s: %s\n", call, nc_strerror(result));
  exit(1);
}

enum { width = 5, records = 3 };

// A variable that grows comes first. Characters, whose fill value is zero, need padding.
static void make(const char* path, int mode) {
  int file, time, x, variables[5], both[2];
  NC(nc_create(path, NC_CLOBBER | mode, &file));
  NC(nc_def_dim(file, "time", NC_UNLIMITED, &time));
  NC(nc_def_dim(file, "x", width, &x));
  both[0] = time;
  both[1] = x;
  NC(nc_def_var(file, "time", NC_INT, 1, &time, &variables[0]));
  NC(nc_def_var(file, "label", NC_CHAR, 1, &x, &variables[1]));
  NC(nc_def_var(file, "remark", NC_CHAR, 2, both, &variables[2]));
  NC(nc_def_var(file, "field", NC_DOUBLE, 1, &x, &variables[3]));
  NC(nc_def_var(file, "scalar", NC_FLOAT, 0, NULL, &variables[4]));
  NC(nc_put_att_text(file, variables[3], "units", 3, "xxx"));
  NC(nc_put_att_text(file, NC_GLOBAL, "title", 6, "xxxxxx"));
  NC(nc_enddef(file));
  size_t start[2] = {0, 0}, count[2] = {records, width};
  static const char text[records * width];
  static const int numbers[records];
  static const double reals[width];
  NC(nc_put_vara_int(file, variables[0], start, count, numbers));
  NC(nc_put_var_text(file, variables[1], text));
  NC(nc_put_vara_text(file, variables[2], start, count, text));
  NC(nc_put_var_double(file, variables[3], reals));
  NC(nc_put_var_double(file, variables[4], reals));
  NC(nc_close(file));
}

// The records of a single variable are not padded.
static void make_single(const char* path, int mode) {
  int file, both[2], variable;
  NC(nc_create(path, NC_CLOBBER | mode, &file));
  NC(nc_def_dim(file, "time", NC_UNLIMITED, &both[0]));
  NC(nc_def_dim(file, "x", width, &both[1]));
  NC(nc_def_var(file, "remark", NC_CHAR, 2, both, &variable));
  NC(nc_enddef(file));
  size_t start[2] = {0, 0}, count[2] = {records, width};
  static const char text[records * width];
  NC(nc_put_vara_text(file, variable, start, count, text));
  NC(nc_close(file));
}

static void read_all(const char* path) {
  int file, variable;
  char text[records * width];
  int numbers[records];
  double reals[width];
  NC(nc_open(path, NC_NOWRITE, &file));
  NC(nc_inq_varid(file, "remark", &variable));
  NC(nc_get_var_text(file, variable, text));
  if (nc_inq_varid(file, "time", &variable) == NC_NOERR) {
    NC(nc_get_var_int(file, variable, numbers));
    NC(nc_inq_varid(file, "field", &variable));
    NC(nc_get_var_double(file, variable, reals));
  }
  NC(nc_close(file));
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "read";
  static const struct {
    const char *path, *single;
    int mode;
  } files[] = {{"one.nc", "single1.nc", 0},
               {"two.nc", "single2.nc", NC_64BIT_OFFSET},
               {"five.nc", "single5.nc", NC_64BIT_DATA}};
  for (int i = 0; i < 3 && strcmp(what, "make") == 0; ++i) {
    make(files[i].path, files[i].mode);
    make_single(files[i].single, files[i].mode);
  }
  for (int i = 0; i < 3 && strcmp(what, "read") == 0; ++i) {
    read_all(files[i].path);
    read_all(files[i].single);
  }
  if (strcmp(what, "make4") == 0) make("four.nc", NC_NETCDF4);
  if (strcmp(what, "read4") == 0) read_all("four.nc");
}
