// Three ways of writing and reading the same amount of data, one after the other: a POSIX file per rank; one
// shared MPI-IO file through views made of derived datatypes, collectively; an MPI-IO file per rank. What was
// written is read back and compared.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "checked_mpi.h"
#include "decompose.h"
#include "options.h"

enum { dimensions = 2 };

static int iterations = 8;
static int block_bytes = 8192;
static int edge = 32;

static int rank;
static int ranks;

static void check_posix(int good, const char* what) {
  if (!good) {
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void fill(unsigned char* data, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; ++i) data[i] = (unsigned char)(i * 7 + (size_t)(rank * 13 + seed));
}

static void compare(const unsigned char* data, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; ++i) {
    if (data[i] != (unsigned char)(i * 7 + (size_t)(rank * 13 + seed))) stop("read", "this was not written");
  }
}

static void posix_file_per_rank(void) {
  char name[64];
  snprintf(name, sizeof name, "iosample_posix.%05d", rank);
  size_t bytes = (size_t)block_bytes;
  unsigned char* data = check_memory(malloc(bytes));
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  check_posix(fd >= 0, name);
  for (int i = 0; i < iterations; ++i) {
    fill(data, bytes, i);
    check_posix(write(fd, data, bytes) == (ssize_t)bytes, "write");
  }
  check_posix(lseek(fd, 0, SEEK_SET) == 0, "lseek");
  for (int i = 0; i < iterations; ++i) {
    check_posix(read(fd, data, bytes) == (ssize_t)bytes, "read");
    compare(data, bytes, i);
  }
  check_posix(close(fd) == 0, "close");
  free(data);
}

// A 2-D array of doubles, one block of it per rank: the type that picks the block out of the file.
static MPI_Datatype block_of_array(void) {
  int blocks[dimensions];
  int mine[dimensions];
  choose_blocks("", ranks, dimensions, blocks);
  block_of_rank(rank, dimensions, blocks, mine);
  int sizes[dimensions] = {blocks[0] * edge, blocks[1] * edge};
  int part[dimensions] = {edge, edge};
  int starts[dimensions] = {mine[0] * edge, mine[1] * edge};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_subarray(dimensions, sizes, part, starts, MPI_ORDER_C, MPI_DOUBLE, &type),
            "MPI_Type_create_subarray");
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  return type;
}

// Records of `edge` doubles that go round the ranks.
static MPI_Datatype every_nth_record(void) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_vector(edge, edge, edge * ranks, MPI_DOUBLE, &type), "MPI_Type_vector");
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  return type;
}

// Writes one array after the other through views of `type`, then reads them all back.
static void write_and_read(MPI_File file, MPI_Offset start, MPI_Datatype type, int seed) {
  int count = edge * edge;
  size_t bytes = (size_t)count * sizeof(double);
  MPI_Offset array_bytes = (MPI_Offset)bytes * ranks;
  unsigned char* data = check_memory(malloc(bytes));
  MPI_Status status;
  for (int reading = 0; reading < 2; ++reading) {
    for (int i = 0; i < iterations; ++i) {
      check_mpi(MPI_File_set_view(file, start + i * array_bytes, MPI_DOUBLE, type, "native", MPI_INFO_NULL),
                "MPI_File_set_view");
      if (reading) {
        check_mpi(MPI_File_read_all(file, data, count, MPI_DOUBLE, &status), "MPI_File_read_all");
        compare(data, bytes, seed + i);
      } else {
        fill(data, bytes, seed + i);
        check_mpi(MPI_File_write_all(file, data, count, MPI_DOUBLE, &status), "MPI_File_write_all");
      }
      check_count(&status, MPI_DOUBLE, count, "collective transfer");
    }
    check_mpi(MPI_File_sync(file), "MPI_File_sync");
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    check_mpi(MPI_File_sync(file), "MPI_File_sync");
  }
  free(data);
}

static void shared_file(void) {
  MPI_File file = MPI_FILE_NULL;
  check_mpi(
      MPI_File_open(MPI_COMM_WORLD, "iosample_shared", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file),
      "MPI_File_open");
  check_mpi(MPI_File_set_size(file, 0), "MPI_File_set_size");
  MPI_Datatype block = block_of_array();
  write_and_read(file, 0, block, 1000);
  MPI_Datatype record = every_nth_record();
  MPI_Offset record_bytes = edge * (MPI_Offset)sizeof(double);
  write_and_read(file, (MPI_Offset)iterations * ranks * edge * record_bytes + rank * record_bytes, record,
                 2000);
  check_mpi(MPI_Type_free(&record), "MPI_Type_free");
  check_mpi(MPI_Type_free(&block), "MPI_Type_free");
  check_mpi(MPI_File_close(&file), "MPI_File_close");
}

// Each iteration transfers one block more than the one before.
static void mpi_file_per_rank(void) {
  char name[64];
  snprintf(name, sizeof name, "iosample_self.%05d", rank);
  size_t most = (size_t)block_bytes * 3;
  unsigned char* data = check_memory(malloc(most));
  MPI_File file = MPI_FILE_NULL;
  MPI_Status status;
  check_mpi(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file),
            "MPI_File_open");
  check_mpi(MPI_File_set_size(file, 0), "MPI_File_set_size");
  for (int i = 1; i <= 3; ++i) {
    fill(data, (size_t)(i * block_bytes), i);
    check_mpi(MPI_File_write(file, data, i * block_bytes, MPI_BYTE, &status), "MPI_File_write");
    check_count(&status, MPI_BYTE, i * block_bytes, "MPI_File_write");
  }
  check_mpi(MPI_File_seek(file, 0, MPI_SEEK_SET), "MPI_File_seek");
  for (int i = 1; i <= 3; ++i) {
    check_mpi(MPI_File_read(file, data, i * block_bytes, MPI_BYTE, &status), "MPI_File_read");
    check_count(&status, MPI_BYTE, i * block_bytes, "MPI_File_read");
    compare(data, (size_t)(i * block_bytes), i);
  }
  check_mpi(MPI_File_close(&file), "MPI_File_close");
  free(data);
}

int main(int argc, char** argv) {
  const struct option_row rows[] = {
      {"iterations", "transfers in each phase", &iterations, 1, NULL},
      {"bytes", "bytes of a transfer to a rank's own file", &block_bytes, 1, NULL},
      {"edge", "rows and columns of a rank's block of an array", &edge, 1, NULL},
      {NULL, NULL, NULL, 0, NULL}};
  read_options(argc, argv, "POSIX file per rank, shared MPI-IO file, MPI-IO file per rank", rows);
  if (edge > 8192) refuse(argv[0], "more than this example is for", "--edge");
  if (block_bytes > INT_MAX / 3) refuse(argv[0], "more than this example is for", "--bytes");
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
  posix_file_per_rank();
  check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  shared_file();
  mpi_file_per_rank();
  if (rank == 0) printf("three phases of I/O on %d ranks: all that was written was read\n", ranks);
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return 0;
}
