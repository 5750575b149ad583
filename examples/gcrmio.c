// The output of a global atmosphere model (GCRM): a geodesic mesh of ten panels, each divided into
// 4^resolution cells, and two poles, with some layers of air above every cell. A panel is cut into
// 4^subdomain blocks of neighboring cells, and the blocks are dealt to the ranks: in stretches (some get one
// more) or in turns. Datasets are 2-D, [cells][layers], and chunked by blocks; some have their values on the
// layers' interfaces, some on the cells' corners. The poles come last and belong to the last rank.
#include "checked_hdf5.h"
#include "options.h"

enum { panels = 10, poles = 2 };

static int resolution = 4;
static int subdomain = 2;
static int layers = 8;
static int steps = 3;
static int cyclic = 0;
static int collective = 1;
static const char* file_name = "gcrm.h5";

// A physical quantity: how many values per cell (2 corners belong to each) and how many more than layers.
struct quantity {
  const char* name;
  int per_cell;
  int extra_layers;
};
static const struct quantity quantities[] = {
    {"temperature", 1, 0}, {"pressure", 1, 1}, {"vorticity", 2, 0}, {"heat_flux", 1, 1}};
enum { quantity_count = sizeof quantities / sizeof *quantities };

// The blocks of this rank: `count` of them, every `stride`th from `first`.
struct share {
  hsize_t cells_per_block;
  hsize_t blocks;
  hsize_t first;
  hsize_t count;
  hsize_t stride;
  hsize_t poles;
};

static struct share find_share(int rank, int ranks) {
  hsize_t r = (hsize_t)rank;
  hsize_t n = (hsize_t)ranks;
  struct share share = {.cells_per_block = 1, .blocks = panels};
  for (int i = 0; i < subdomain; ++i) share.blocks *= 4;
  for (int i = subdomain; i < resolution; ++i) share.cells_per_block *= 4;
  hsize_t each = share.blocks / n;
  hsize_t more = share.blocks % n;
  share.count = each + (r < more ? 1 : 0);
  share.first = cyclic ? r : r * each + (r < more ? r : more);
  share.stride = cyclic ? n : 1;
  share.poles = r + 1 == n ? poles : 0;
  return share;
}

// Selects this rank's rows of a dataset that has `per_cell` rows for each cell. Returns how many they are.
static hsize_t select_rows(hid_t space, const struct share* share, int per_cell, hsize_t columns) {
  hsize_t block_rows = share->cells_per_block * (hsize_t)per_cell;
  check_hdf5(H5Sselect_none(space), "H5Sselect_none");
  if (share->count > 0) {
    hsize_t start[2] = {share->first * block_rows, 0};
    hsize_t stride[2] = {share->stride * block_rows, 1};
    hsize_t count[2] = {share->count, 1};
    hsize_t block[2] = {block_rows, columns};
    check_hdf5(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block),
               "H5Sselect_hyperslab");
  }
  if (share->poles > 0) {
    hsize_t start[2] = {share->blocks * block_rows, 0};
    hsize_t count[2] = {share->poles * (hsize_t)per_cell, columns};
    H5S_seloper_t how = share->count > 0 ? H5S_SELECT_OR : H5S_SELECT_SET;
    check_hdf5(H5Sselect_hyperslab(space, how, start, NULL, count, NULL), "H5Sselect_hyperslab");
  }
  return share->count * block_rows + share->poles * (hsize_t)per_cell;
}

static hid_t create_dataset(hid_t group, const struct share* share, const struct quantity* quantity) {
  hsize_t per_cell = (hsize_t)quantity->per_cell;
  hsize_t columns = (hsize_t)(layers + quantity->extra_layers);
  hsize_t size[2] = {(share->blocks * share->cells_per_block + poles) * per_cell, columns};
  hsize_t chunk[2] = {share->cells_per_block * per_cell, columns};
  hid_t space = check_hdf5(H5Screate_simple(2, size, NULL), "H5Screate_simple");
  hid_t creation = check_hdf5(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
  check_hdf5(H5Pset_chunk(creation, 2, chunk), "H5Pset_chunk");
  hid_t dataset = check_hdf5(
      H5Dcreate2(group, quantity->name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      "H5Dcreate2");
  check_hdf5(H5Pclose(creation), "H5Pclose");
  check_hdf5(H5Sclose(space), "H5Sclose");
  return dataset;
}

static void write_quantity(hid_t group, const struct share* share, const struct quantity* quantity, int step,
                           hid_t transfer) {
  hid_t dataset = create_dataset(group, share, quantity);
  hsize_t columns = (hsize_t)(layers + quantity->extra_layers);
  hid_t disk = check_hdf5(H5Dget_space(dataset), "H5Dget_space");
  hsize_t rows = select_rows(disk, share, quantity->per_cell, columns);
  hsize_t shape[2] = {rows > 0 ? rows : 1, columns};
  hid_t memory = check_hdf5(H5Screate_simple(2, shape, NULL), "H5Screate_simple");
  if (rows == 0) check_hdf5(H5Sselect_none(memory), "H5Sselect_none");

  float* values = check_memory(malloc(shape[0] * columns * sizeof *values));
  for (hsize_t i = 0; i < shape[0] * columns; ++i) {
    values[i] = (float)((share->first * 31 + i + (hsize_t)step) % 500) * 0.5f;
  }
  check_hdf5(H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory, disk, transfer, values), "H5Dwrite");
  free(values);
  check_hdf5(H5Sclose(memory), "H5Sclose");
  check_hdf5(H5Sclose(disk), "H5Sclose");
  check_hdf5(H5Dclose(dataset), "H5Dclose");
}

static void write_step(hid_t file, const struct share* share, int step, hid_t transfer) {
  char name[32];
  snprintf(name, sizeof name, "Step#%d", step);
  hid_t group = create_group(file, name);
  for (int q = 0; q < quantity_count; ++q) write_quantity(group, share, &quantities[q], step, transfer);
  check_hdf5(H5Gclose(group), "H5Gclose");
}

int main(int argc, char** argv) {
  const struct option_row rows[] = {
      {"resolution", "each panel has 4^resolution cells", &resolution, 0, NULL},
      {"subdomain", "each panel has 4^subdomain blocks", &subdomain, 0, NULL},
      {"layers", "layers of air above each cell", &layers, 1, NULL},
      {"steps", "steps to write", &steps, 0, NULL},
      {"cyclic", "0: a rank's blocks follow each other; 1: they are dealt in turns", &cyclic, 0, NULL},
      {"collective", "1: all ranks transfer a quantity together; 0: each for itself", &collective, 0, NULL},
      {"file", "the file to write", NULL, 0, &file_name},
      {NULL, NULL, NULL, 0, NULL}};
  read_options(argc, argv, "quantities on a geodesic mesh with layers, chunked, in one HDF5 file", rows);
  if (resolution > 12) refuse(argv[0], "more cells than this example is for", "--resolution");
  if (subdomain > resolution) refuse(argv[0], "blocks can't be smaller than cells", "--subdomain");
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");

  struct share share = find_share(rank, ranks);
  hid_t file = create_shared_file(file_name);
  put_attribute(file, "resolution", H5T_NATIVE_INT, 1, &resolution);
  put_attribute(file, "layers", H5T_NATIVE_INT, 1, &layers);
  hid_t transfer = transfer_property(collective);
  for (int step = 0; step < steps; ++step) write_step(file, &share, step, transfer);
  check_hdf5(H5Pclose(transfer), "H5Pclose");
  check_hdf5(H5Fclose(file), "H5Fclose");
  if (rank == 0) {
    printf("%d steps of %llu cells with %d layers written to %s\n", steps,
           (unsigned long long)(share.blocks * share.cells_per_block + poles), layers, file_name);
  }
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return 0;
}
