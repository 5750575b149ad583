// Data access at explicit offsets and at the individual file pointer: blocking, nonblocking, collective,
// split.
#include "every_mpiio.h"

static int written[block_count];
static int found[block_count];
static MPI_Status status;
static MPI_Request request;

// Rank's block of the given row of blocks, in bytes.
static MPI_Offset place(int row) { return ((MPI_Offset)row * ranks + rank) * (MPI_Offset)sizeof written; }

static void begin_write(int occasion) { fill(written, block_count, rank, occasion); }

static void end_read(int occasion) {
  expect_filled(found, block_count, rank, occasion);
  memset(found, 0, sizeof found);
}

static void write_rows(MPI_File file) {
  begin_write(0);
  MUST(MPI_File_write_at(file, place(0), written, block_count, MPI_INT, &status));
  expect_count(&status, MPI_INT, block_count);
  begin_write(1);
  MUST(MPI_File_write_at_all(file, place(1), written, block_count, MPI_INT, &status));
  expect_count(&status, MPI_INT, block_count);
  begin_write(2);
  MUST(MPI_File_iwrite_at(file, place(2), written, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  begin_write(3);
  MUST(MPI_File_iwrite_at_all(file, place(3), written, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
  begin_write(4);
  MUST(MPI_File_write_at_all_begin(file, place(4), written, block_count, MPI_INT));
  MUST(MPI_File_write_at_all_end(file, written, &status));
}

static void read_rows(MPI_File file) {
  MUST(MPI_File_read_at(file, place(4), found, block_count, MPI_INT, &status));
  expect_count(&status, MPI_INT, block_count);
  end_read(4);
  MUST(MPI_File_read_at_all(file, place(3), found, block_count, MPI_INT, &status));
  end_read(3);
  MUST(MPI_File_iread_at(file, place(2), found, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  end_read(2);
  MUST(MPI_File_iread_at_all(file, place(1), found, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  end_read(1);
  MUST(MPI_File_read_at_all_begin(file, place(0), found, block_count, MPI_INT));
  MUST(MPI_File_read_at_all_end(file, found, &status));
  end_read(0);
}

void access_at_offsets(void) {
  MPI_File file = open_fresh(MPI_COMM_WORLD, "offsets");
  write_rows(file);
  settle(file);
  read_rows(file);
  // Nothing at all, and more than there is.
  MUST(MPI_File_write_at(file, 0, written, 0, MPI_INT, &status));
  expect_count(&status, MPI_INT, 0);
  MUST(MPI_File_read_at(file, place(100), found, block_count, MPI_INT, &status));
  expect_count(&status, MPI_INT, 0);
  MUST(MPI_File_close(&file));
}

static void write_own(MPI_File file) {
  begin_write(10);
  MUST(MPI_File_write(file, written, block_count, MPI_INT, &status));
  begin_write(11);
  MUST(MPI_File_write_all(file, written, block_count, MPI_INT, &status));
  // Blocks of this row lie apart. Open MPI 4.1 may write the gaps back as it read them a moment before.
  settle(file);
  begin_write(12);
  MUST(MPI_File_iwrite(file, written, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  begin_write(13);
  MUST(MPI_File_iwrite_all(file, written, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  begin_write(14);
  MUST(MPI_File_write_all_begin(file, written, block_count, MPI_INT));
  MUST(MPI_File_write_all_end(file, written, &status));
}

static void read_own(MPI_File file) {
  MUST(MPI_File_read(file, found, block_count, MPI_INT, &status));
  end_read(10);
  MUST(MPI_File_read_all(file, found, block_count, MPI_INT, &status));
  end_read(11);
  MUST(MPI_File_iread(file, found, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  end_read(12);
  MUST(MPI_File_iread_all(file, found, block_count, MPI_INT, &request));
  MUST(MPI_Wait(&request, &status));
  end_read(13);
  MUST(MPI_File_read_all_begin(file, found, block_count, MPI_INT));
  MUST(MPI_File_read_all_end(file, found, &status));
  end_read(14);
}

// Each rank sees a region of five blocks as if it were its own file.
void access_at_own_pointer(void) {
  MPI_File file = open_fresh(MPI_COMM_WORLD, "pointers");
  MPI_Offset region = 5 * (MPI_Offset)sizeof written;
  MPI_Offset position = 0;
  MPI_Offset byte = 0;
  MUST(MPI_File_set_view(file, rank * region, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  write_own(file);
  settle(file);
  MUST(MPI_File_get_position(file, &position));
  MUST(MPI_File_get_byte_offset(file, position, &byte));
  note("position %lld, byte of my region %lld", (long long)position, (long long)(byte - rank * region));
  MUST(MPI_File_seek(file, -5 * block_count, MPI_SEEK_CUR));
  read_own(file);
  MUST(MPI_File_seek(file, 0, MPI_SEEK_SET));
  MUST(MPI_File_close(&file));

  MUST(MPI_File_open(MPI_COMM_WORLD, "pointers", MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &file));
  MUST(MPI_File_get_position(file, &position));
  MUST(MPI_File_seek(file, -4, MPI_SEEK_END));
  MPI_Offset before_end = 0;
  MUST(MPI_File_get_position(file, &before_end));
  note("appending at %lld regions, end minus %lld", (long long)(position / region) / ranks,
       (long long)(position - before_end));
  MUST(MPI_File_close(&file));
  MUST(
      MPI_File_open(MPI_COMM_WORLD, "pointers", MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file));
  MUST(MPI_File_close(&file));
}
