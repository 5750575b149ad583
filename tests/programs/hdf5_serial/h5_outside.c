// Names of files that HDF5 is told to use later: `h5_outside WAY FOLDER` makes it use files in the folder,
// which is absolute, and below the one that the program is in.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checked_hdf5.h"

static char path[4200];
static const char* outside(const char* folder, const char* name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_dataset(hid_t file, hid_t creation, hid_t access) {
  int values[10] = {1, 2, 3};
  hsize_t size = 10;
  hid_t space = MUST(H5Screate_simple(1, &size, NULL));
  hid_t set = MUST(H5Dcreate2(file, "set", H5T_NATIVE_INT, space, H5P_DEFAULT, creation, access));
  MUST(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  MUST(H5Dclose(set));
  MUST(H5Sclose(space));
}

int main(int argc, char** argv) {
  const char *way = argc > 2 ? argv[1] : "", *folder = argc > 2 ? argv[2] : "";
  hid_t creation = MUST(H5Pcreate(H5P_DATASET_CREATE)), access = MUST(H5Pcreate(H5P_DATASET_ACCESS));
  hid_t files = MUST(H5Pcreate(H5P_FILE_ACCESS));
  if (strcmp(way, "external") == 0) MUST(H5Pset_external(creation, outside(folder, "raw"), 0, 40));
  if (strcmp(way, "climbing") == 0) MUST(H5Pset_external(creation, "x/../../outside/raw", 0, 40));
  if (strcmp(way, "prefix") == 0) {
    MUST(H5Pset_efile_prefix(access, folder));
    MUST(H5Pset_external(creation, "raw", 0, 40));
  }
  if (strcmp(way, "log") == 0) MUST(H5Pset_fapl_log(files, outside(folder, "raw"), H5FD_LOG_LOC_IO, 0));
  if (strcmp(way, "mdc_log") == 0) MUST(H5Pset_mdc_log_options(files, 1, outside(folder, "raw"), 1));
  if (strcmp(way, "split") == 0)
    MUST(H5Pset_fapl_split(files, outside(folder, "%s-meta"), H5P_DEFAULT, ".raw", H5P_DEFAULT));
  hid_t file = MUST(H5Fcreate("file.h5", H5F_ACC_TRUNC, H5P_DEFAULT, files));
  if (strcmp(way, "link") == 0) {
    MUST(H5Fclose(MUST(H5Fcreate(outside(folder, "raw"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT))));
    MUST(H5Lcreate_external(outside(folder, "raw"), "/", file, "link", H5P_DEFAULT, H5P_DEFAULT));
    hid_t there = MUST(H5Gopen2(file, "link", H5P_DEFAULT));
    write_dataset(there, creation, access);
    MUST(H5Gclose(there));
  } else {
    write_dataset(file, creation, access);
  }
  MUST(H5Fclose(file));
  MUST(H5Pclose(files));
  MUST(H5Pclose(access));
  MUST(H5Pclose(creation));
  return 0;
}
