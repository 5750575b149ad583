// The output of a plasma simulation (VPIC): every rank has a share of one long list of particles, and every
// particle has eight variables. Each step is a group `Step#n` of the one file in H5Part's manner; each
// variable is a 1-D dataset over all particles into which each rank writes its own stretch.
#include <stdint.h>

#include "checked_hdf5.h"
#include "options.h"

enum { variables = 8 };
static const char* const variable_names[variables] = {"x", "y", "z", "ux", "uy", "uz", "q", "id"};

static int particles = 8192;
static int steps = 4;
static int collective = 1;
static const char* file_name = "vpic.h5part";

// Where this rank's particles stand among all.
struct share {
  hsize_t first;
  hsize_t mine;
  hsize_t all;
};

static struct share find_share(int rank, int ranks) {
  long long mine = particles;
  long long* counts = check_memory(malloc((size_t)ranks * sizeof *counts));
  check_mpi(MPI_Allgather(&mine, 1, MPI_LONG_LONG, counts, 1, MPI_LONG_LONG, MPI_COMM_WORLD),
            "MPI_Allgather");
  struct share share = {0, (hsize_t)mine, 0};
  for (int r = 0; r < ranks; ++r) {
    if (r == rank) share.first = share.all;
    share.all += (hsize_t)counts[r];
  }
  free(counts);
  return share;
}

static void write_variable(hid_t group, int variable, int step, struct share share, hid_t spaces[2],
                           hid_t transfer, void* values) {
  hid_t type = variable == variables - 1 ? H5T_NATIVE_INT32 : H5T_NATIVE_FLOAT;
  float* reals = values;
  int32_t* integers = values;
  for (hsize_t i = 0; i < share.mine; ++i) {
    hsize_t particle = share.first + i;
    if (variable == variables - 1) {
      integers[i] = (int32_t)particle;
    } else {
      reals[i] = (float)((particle * (hsize_t)(variable + 1) + (hsize_t)step) % 1000) * 0.001f;
    }
  }
  hid_t dataset = check_hdf5(
      H5Dcreate2(group, variable_names[variable], type, spaces[1], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      "H5Dcreate2");
  check_hdf5(H5Dwrite(dataset, type, spaces[0], spaces[1], transfer, values), "H5Dwrite");
  check_hdf5(H5Dclose(dataset), "H5Dclose");
}

static void write_step(hid_t file, int step, struct share share, hid_t transfer, void* values) {
  char name[32];
  snprintf(name, sizeof name, "Step#%d", step);
  hid_t group = create_group(file, name);
  double time = 0.5 * step;
  put_attribute(group, "TimeValue", H5T_NATIVE_DOUBLE, 1, &time);

  hid_t memory = check_hdf5(H5Screate_simple(1, &share.mine, NULL), "H5Screate_simple");
  hid_t disk = check_hdf5(H5Screate_simple(1, &share.all, NULL), "H5Screate_simple");
  check_hdf5(H5Sselect_hyperslab(disk, H5S_SELECT_SET, &share.first, NULL, &share.mine, NULL),
             "H5Sselect_hyperslab");
  hid_t spaces[2] = {memory, disk};
  for (int v = 0; v < variables; ++v) write_variable(group, v, step, share, spaces, transfer, values);
  check_hdf5(H5Sclose(disk), "H5Sclose");
  check_hdf5(H5Sclose(memory), "H5Sclose");
  check_hdf5(H5Gclose(group), "H5Gclose");
}

// What describes the run is added by rank 0 alone, once nobody else has the file open.
static void describe_run(int ranks) {
  hid_t file = check_hdf5(H5Fopen(file_name, H5F_ACC_RDWR, H5P_DEFAULT), "H5Fopen");
  put_text_attribute(file, "__H5PartVersion__", "1.0");
  put_text_attribute(file, "code", "vpicio");
  put_attribute(file, "ranks", H5T_NATIVE_INT, 1, &ranks);
  put_attribute(file, "particles_per_rank", H5T_NATIVE_INT, 1, &particles);
  check_hdf5(H5Fclose(file), "H5Fclose");
}

int main(int argc, char** argv) {
  const struct option_row rows[] = {
      {"particles", "particles of each rank", &particles, 1, NULL},
      {"steps", "steps to write", &steps, 0, NULL},
      {"collective", "1: all ranks transfer a variable together; 0: each for itself", &collective, 0, NULL},
      {"file", "the file to write", NULL, 0, &file_name},
      {NULL, NULL, NULL, 0, NULL}};
  read_options(argc, argv, "particles with eight variables in one HDF5 file, step by step", rows);
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");

  struct share share = find_share(rank, ranks);
  void* values = check_memory(malloc((size_t)particles * sizeof(float)));
  hid_t file = create_shared_file(file_name);
  hid_t transfer = transfer_property(collective);
  for (int step = 0; step < steps; ++step) write_step(file, step, share, transfer, values);
  check_hdf5(H5Pclose(transfer), "H5Pclose");
  check_hdf5(H5Fclose(file), "H5Fclose");
  free(values);

  if (rank == 0) {
    describe_run(ranks);
    printf("%d steps of %llu particles written to %s\n", steps, (unsigned long long)share.all, file_name);
  }
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return 0;
}
