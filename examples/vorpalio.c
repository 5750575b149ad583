// The output of an electromagnetic simulation (VORPAL): a uniform 3-D grid cut into equal blocks, one per
// rank. Each step writes vector fields in H5Block's manner: a group per field, a 3-D dataset per component,
// and in each dataset every rank's block as one hyperslab.
#include "checked_hdf5.h"
#include "decompose.h"
#include "options.h"

enum { dimensions = 3, fields = 2, components = 3 };
static const char* const field_names[fields] = {"E", "B"};

static int block_edge = 16;
static int steps = 3;
static int collective = 1;
static const char* blocks_text = "";
static const char* file_name = "vorpal.h5";

// The grid and this rank's block of it.
struct block {
  hsize_t grid[dimensions];
  hsize_t first[dimensions];
  hsize_t size[dimensions];
  size_t cells;
};

static struct block find_block(int rank, int ranks) {
  int blocks[dimensions];
  int mine[dimensions];
  choose_blocks(blocks_text, ranks, dimensions, blocks);
  block_of_rank(rank, dimensions, blocks, mine);
  struct block block = {.cells = 1};
  for (int d = 0; d < dimensions; ++d) {
    block.size[d] = (hsize_t)block_edge;
    block.grid[d] = (hsize_t)blocks[d] * block.size[d];
    block.first[d] = (hsize_t)mine[d] * block.size[d];
    block.cells *= (size_t)block_edge;
  }
  return block;
}

static void fill(double* values, const struct block* block, int seed) {
  size_t next = 0;
  for (hsize_t x = 0; x < block->size[0]; ++x) {
    for (hsize_t y = 0; y < block->size[1]; ++y) {
      for (hsize_t z = 0; z < block->size[2]; ++z) {
        hsize_t cell = ((block->first[0] + x) * block->grid[1] + block->first[1] + y) * block->grid[2] +
                       block->first[2] + z;
        values[next++] = (double)(cell % 4096) + 0.125 * seed;
      }
    }
  }
}

static void write_component(hid_t group, int component, const struct block* block, hid_t transfer,
                            const double* values) {
  char name[16];
  snprintf(name, sizeof name, "%d", component);
  hid_t disk = check_hdf5(H5Screate_simple(dimensions, block->grid, NULL), "H5Screate_simple");
  hid_t memory = check_hdf5(H5Screate_simple(dimensions, block->size, NULL), "H5Screate_simple");
  hid_t dataset = check_hdf5(
      H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, disk, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Dcreate2");
  check_hdf5(H5Sselect_hyperslab(disk, H5S_SELECT_SET, block->first, NULL, block->size, NULL),
             "H5Sselect_hyperslab");
  check_hdf5(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, disk, transfer, values), "H5Dwrite");
  check_hdf5(H5Dclose(dataset), "H5Dclose");
  check_hdf5(H5Sclose(memory), "H5Sclose");
  check_hdf5(H5Sclose(disk), "H5Sclose");
}

static void write_step(hid_t file, int step, const struct block* block, hid_t transfer, double* values) {
  char name[32];
  snprintf(name, sizeof name, "Step#%d", step);
  hid_t step_group = create_group(file, name);
  hid_t blocks_group = create_group(step_group, "Block");
  const double origin[dimensions] = {0.0, 0.0, 0.0};
  const double spacing[dimensions] = {0.5, 0.5, 0.25};
  for (int f = 0; f < fields; ++f) {
    hid_t field = create_group(blocks_group, field_names[f]);
    for (int c = 0; c < components; ++c) {
      fill(values, block, (step * fields + f) * components + c);
      write_component(field, c, block, transfer, values);
    }
    put_attribute(field, "__Origin__", H5T_NATIVE_DOUBLE, dimensions, origin);
    put_attribute(field, "__Spacing__", H5T_NATIVE_DOUBLE, dimensions, spacing);
    check_hdf5(H5Gclose(field), "H5Gclose");
  }
  check_hdf5(H5Gclose(blocks_group), "H5Gclose");
  check_hdf5(H5Gclose(step_group), "H5Gclose");
}

int main(int argc, char** argv) {
  const struct option_row rows[] = {
      {"edge", "cells along each edge of a rank's block", &block_edge, 1, NULL},
      {"dims", "blocks along each dimension, as in 4x2x2; 0 or nothing: chosen for you", NULL, 0,
       &blocks_text},
      {"steps", "steps to write", &steps, 0, NULL},
      {"collective", "1: all ranks transfer a component together; 0: each for itself", &collective, 0, NULL},
      {"file", "the file to write", NULL, 0, &file_name},
      {NULL, NULL, NULL, 0, NULL}};
  read_options(argc, argv, "vector fields on a 3-D grid, one block per rank, in one HDF5 file", rows);
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");

  struct block block = find_block(rank, ranks);
  double* values = check_memory(malloc(block.cells * sizeof *values));
  hid_t file = create_shared_file(file_name);
  hid_t transfer = transfer_property(collective);
  for (int step = 0; step < steps; ++step) write_step(file, step, &block, transfer, values);
  check_hdf5(H5Pclose(transfer), "H5Pclose");
  check_hdf5(H5Fclose(file), "H5Fclose");
  free(values);

  if (rank == 0) {
    printf("%d steps of a grid of %llu x %llu x %llu cells written to %s\n", steps,
           (unsigned long long)block.grid[0], (unsigned long long)block.grid[1],
           (unsigned long long)block.grid[2], file_name);
  }
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return 0;
}
