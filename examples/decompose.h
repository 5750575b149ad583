// Cuts a grid into one block per rank: as many blocks along each dimension as an option says (`2x2x1`), or as
// MPI_Dims_create finds best. The last dimension varies fastest with the rank, as in C arrays.
#ifndef REFRAIN_EXAMPLES_DECOMPOSE_H
#define REFRAIN_EXAMPLES_DECOMPOSE_H
#include <stdlib.h>

#include "checked_mpi.h"

// Fills `blocks`; `text` is empty or names a number for each dimension, 0 where MPI may choose.
static inline void choose_blocks(const char* text, int ranks, int dimensions, int* blocks) {
  const char* next = text;
  for (int d = 0; d < dimensions; ++d) {
    char* end = NULL;
    blocks[d] = *next == '\0' ? 0 : (int)strtol(next, &end, 10);
    if (end == NULL) continue;
    if (end == next || blocks[d] < 0 || *end != (d + 1 < dimensions ? 'x' : '\0')) {
      stop(text, "dimensions must look like 2x2x1, one number for each");
    }
    next = end + (*end == 'x');
  }
  int product = 1;
  for (int d = 0; d < dimensions; ++d) product *= blocks[d] > 0 ? blocks[d] : 1;
  if (ranks % product != 0) stop(text, "the number of ranks is not a multiple of these dimensions");
  check_mpi(MPI_Dims_create(ranks, dimensions, blocks), "MPI_Dims_create");
}

static inline void block_of_rank(int rank, int dimensions, const int* blocks, int* block) {
  for (int d = dimensions - 1; d >= 0; --d) {
    block[d] = rank % blocks[d];
    rank /= blocks[d];
  }
}
#endif
