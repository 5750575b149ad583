// Ways out of the folder that a program was started in that lead through HDF5, which opens files by names
// that it was told before, in property lists, in links, in plugins: wall_hdf5 CASE OUTSIDE, as wall_posix.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../wall.h"

/// A file with a dataset of 64 integers, written.
static void fill(const char* name, hid_t fapl, hid_t dcpl, hid_t dapl) {
  hsize_t size = 64;
  int data[64] = {1};
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, dapl);
  MUST(file >= 0 && set >= 0);
  MUST(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  MUST(H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
}
static void plain(const char* name) { fill(name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT); }
static hid_t access_list(void) { return H5Pcreate(H5P_FILE_ACCESS); }
static hid_t raw_in(const char* file) {
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  MUST(H5Pset_external(dcpl, file, 0, 256) >= 0);
  return dcpl;
}

static void file(void) {
  plain(at("new.h5"));
  plain("../evil.h5");
}
static void external(void) { fill("x.h5", H5P_DEFAULT, raw_in(at("raw")), H5P_DEFAULT); }
static void external_climbing(void) { fill("x.h5", H5P_DEFAULT, raw_in("../evil"), H5P_DEFAULT); }
static void external_prefix(void) {
  hid_t dapl = H5Pcreate(H5P_DATASET_ACCESS);
  MUST(H5Pset_efile_prefix(dapl, outside) >= 0);
  fill("x.h5", H5P_DEFAULT, raw_in("raw"), dapl);
}
static void split(void) {
  hid_t fapl = access_list();
  MUST(H5Pset_fapl_split(fapl, "-m.h5", H5P_DEFAULT, at("raw_%s"), H5P_DEFAULT) >= 0);
  fill("x", fapl, H5P_DEFAULT, H5P_DEFAULT);
}
static void multi(void) {
  hid_t fapl = access_list(), lists[H5FD_MEM_NTYPES];
  H5FD_mem_t map[H5FD_MEM_NTYPES];
  const char* names[H5FD_MEM_NTYPES] = {0};
  haddr_t starts[H5FD_MEM_NTYPES] = {0};
  for (int i = 0; i < H5FD_MEM_NTYPES; ++i) map[i] = H5FD_MEM_SUPER, lists[i] = H5P_DEFAULT;
  map[H5FD_MEM_DRAW] = H5FD_MEM_DRAW;
  names[H5FD_MEM_SUPER] = "%s-super.h5";
  names[H5FD_MEM_DRAW] = at("raw%.0s");
  starts[H5FD_MEM_DRAW] = HADDR_MAX / 2;
  MUST(H5Pset_fapl_multi(fapl, map, lists, names, starts, 1) >= 0);
  fill("x", fapl, H5P_DEFAULT, H5P_DEFAULT);
}
static void log_file(void) {
  hid_t fapl = access_list();
  MUST(H5Pset_fapl_log(fapl, at("log"), H5FD_LOG_META_IO | H5FD_LOG_LOC_IO, 65536) >= 0);
  fill("x.h5", fapl, H5P_DEFAULT, H5P_DEFAULT);
}
static void cache_log(void) {
  hid_t fapl = access_list();
  MUST(H5Pset_mdc_log_options(fapl, 1, at("cache.log"), 1) >= 0);
  fill("x.h5", fapl, H5P_DEFAULT, H5P_DEFAULT);
}
static void core(void) {
  hid_t fapl = access_list();
  MUST(H5Pset_fapl_core(fapl, 4096, 1) >= 0);
  fill(at("core.h5"), fapl, H5P_DEFAULT, H5P_DEFAULT);
}
static void family(void) {
  hid_t fapl = access_list();
  MUST(H5Pset_fapl_family(fapl, 1024, H5P_DEFAULT) >= 0);
  fill(at("member_%d.h5"), fapl, H5P_DEFAULT, H5P_DEFAULT);
}
/// The number of a member as a character: 47 is a slash.
static void family_format(void) {
  hid_t fapl = access_list();
  MUST(mkdir("d47", 0755) == 0 && H5Pset_fapl_family(fapl, 64, H5P_DEFAULT) >= 0);
  hsize_t size = 2000;
  static int data[2000];
  hid_t file = H5Fcreate("d%1$d%1$c..%1$c..%1$cevil", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  MUST(file >= 0 && set >= 0);
  MUST(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  MUST(H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
}
/// A link to a file outside, through which that is changed.
static void through(hid_t lapl, const char* target) {
  hid_t main = H5Fcreate("x.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  MUST(H5Lcreate_external(target, "/", main, "out", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  hid_t group = H5Gopen2(main, "out", lapl);
  hid_t made = H5Gcreate2(group, "evil", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  MUST(group >= 0 && made >= 0 && H5Gclose(made) >= 0 && H5Gclose(group) >= 0 && H5Fclose(main) >= 0);
}
static void link_absolute(void) {
  plain(at("there.h5"));
  through(H5P_DEFAULT, at("there.h5"));
}
static void link_prefix(void) {
  plain(at("there.h5"));
  hid_t lapl = H5Pcreate(H5P_GROUP_ACCESS);
  MUST(H5Pset_elink_prefix(lapl, outside) >= 0);
  through(lapl, "there.h5");
}
static void link_climbing(void) {
  plain("../there.h5");
  through(H5P_DEFAULT, "../there.h5");
}
static void virtual_set(void) {
  hsize_t size = 64;
  plain(at("source.h5"));
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL);
  MUST(H5Pset_virtual(dcpl, space, at("source.h5"), "d", space) >= 0);
  fill("x.h5", H5P_DEFAULT, dcpl, H5P_DEFAULT);
}
/// A library that does harm when it is loaded.
static void plugin(void) {
  MUST(H5PLprepend(outside) >= 0 && H5PLappend(outside) >= 0 && H5PLreplace(outside, 0) >= 0);
  (void)H5Zfilter_avail(32000);
}

struct way {
  const char* name;
  void (*take)(void);
};
static const struct way ways[] = {
    {"file", file},
    {"external", external},
    {"external_climbing", external_climbing},
    {"external_prefix", external_prefix},
    {"split", split},
    {"multi", multi},
    {"log_file", log_file},
    {"cache_log", cache_log},
    {"core", core},
    {"family", family},
    {"family_format", family_format},
    {"link_absolute", link_absolute},
    {"link_prefix", link_prefix},
    {"link_climbing", link_climbing},
    {"virtual_set", virtual_set},
    {"plugin", plugin},
};

int main(int argc, char** argv) {
  if (argc == 1) {
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) puts(ways[i].name);
    return 0;
  }
  outside = argv[2];
  for (size_t i = 0; argc == 3 && i < sizeof ways / sizeof ways[0]; ++i)
    if (strcmp(ways[i].name, argv[1]) == 0) {
      ways[i].take();
      return 0;
    }
  fprintf(stderr, "usage: wall_hdf5 CASE OUTSIDE\n");
  return 2;
}
