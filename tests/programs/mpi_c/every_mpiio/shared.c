// Data access at the pointer that all ranks share: in any order, or in the order of the ranks.
#include "every_mpiio.h"

static int written[block_count];
static int found[block_count];
static MPI_Status status;
static MPI_Request request;

// Which rank comes first is left to chance, so what is read can be anybody's block.
static void any_order(MPI_File file) {
  fill(written, block_count, 7, 20);
  MUST(MPI_File_write_shared(file, written, block_count, MPI_INT, &status));
  MUST(MPI_File_iwrite_shared(file, written, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  settle(file);
  MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  MUST(MPI_File_read_shared(file, found, block_count, MPI_INT, &status));
  expect_filled(found, block_count, 7, 20);
  MUST(MPI_File_iread_shared(file, found, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  expect_filled(found, block_count, 7, 20);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void in_order(MPI_File file) {
  fill(written, block_count, rank, 21);
  MUST(MPI_File_write_ordered(file, written, block_count, MPI_INT, &status));
  fill(written, block_count, rank, 22);
  MUST(MPI_File_write_ordered_begin(file, written, block_count, MPI_INT));
  MUST(MPI_File_write_ordered_end(file, written, &status));
  MUST(MPI_Barrier(MPI_COMM_WORLD));
  MPI_Offset position = 0;
  MUST(MPI_File_get_position_shared(file, &position));
  note("blocks for each rank before the shared pointer: %lld", (long long)(position / block_count / ranks));
  settle(file);
  MUST(MPI_File_seek_shared(file, 2 * (MPI_Offset)ranks * block_count, MPI_SEEK_SET));
  MUST(MPI_File_read_ordered(file, found, block_count, MPI_INT, &status));
  expect_filled(found, block_count, rank, 21);
  MUST(MPI_File_read_ordered_begin(file, found, block_count, MPI_INT));
  MUST(MPI_File_read_ordered_end(file, found, &status));
  expect_filled(found, block_count, rank, 22);
}

void access_at_shared_pointer(void) {
  MPI_File file = open_fresh(MPI_COMM_WORLD, "shared");
  MUST(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  any_order(file);
  in_order(file);
  MUST(MPI_File_close(&file));
}
