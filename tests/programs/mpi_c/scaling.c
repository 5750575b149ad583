// The ways in which parallel programs share I/O, one after the other: weak and strong scaling, grids of one,
// two and three dimensions, totals that leave a rest, one file, a file per rank, per group and for one rank
// alone.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { total = 10007, rows = 501, columns = 333, planes = 97, group = 4, aggregators = 3, most = 1 << 20 };

static int rank;
static int ranks;
static char data[most];

static void check(int good, const char* what) {
  if (good) return;
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int open_file(const char* kind, int number) {
  char name[64];
  snprintf(name, sizeof name, number < 0 ? "%s" : "%s.%04d", kind, number);
  int fd = open(name, O_RDWR | O_CREAT, 0644);
  check(fd >= 0, name);
  return fd;
}

static void put(int fd, long bytes, long offset) {
  if (bytes > 0) check(pwrite(fd, data, (size_t)bytes, offset) == bytes, "pwrite");
}

static long first(long n, long parts, long part) {
  return part * (n / parts) + (part < n % parts ? part : n % parts);
}

// A strip of a list per rank: as long on any number of ranks, or a share of all.
static void one_dimension(void) {
  int fd = open_file("weak", -1);
  for (int step = 0; step < 3; ++step) put(fd, 1000, ((long)step * ranks + rank) * 1000);
  close(fd);
  fd = open_file("strong", -1);
  long mine = first(total, ranks, rank);
  put(fd, (first(total, ranks, rank + 1) - mine) * 8, mine * 8);
  close(fd);
  fd = open_file("rounded", -1);
  mine = (long)rank * total / ranks;
  put(fd, (long)(rank + 1) * total / ranks - mine, mine);
  close(fd);
}

// A block of a grid per rank: its rows, then, in three dimensions, the corner alone.
static void grids(void) {
  int extent[3] = {0, 0, 0};
  MPI_Dims_create(ranks, 2, extent);
  long x = rank / extent[1], y = rank % extent[1];
  long begin = first(columns, extent[1], y), width = first(columns, extent[1], y + 1) - begin;
  int fd = open_file("grid2", -1);
  for (long row = first(rows, extent[0], x); row < first(rows, extent[0], x + 1); ++row)
    put(fd, width * 8, (row * columns + begin) * 8);
  close(fd);
  extent[0] = extent[1] = 0;
  MPI_Dims_create(ranks, 3, extent);
  long z = rank % extent[2];
  y = rank / extent[2] % extent[1];
  x = rank / (extent[2] * extent[1]);
  fd = open_file("grid3", -1);
  put(fd, first(planes, extent[2], z + 1) - first(planes, extent[2], z),
      (x * 60 * extent[1] * 100 + y * 100) * planes + first(planes, extent[2], z));
  close(fd);
}

// Everything goes through one rank, which adds a header.
static void serial(void) {
  char mine[64] = {0};
  if (rank > 0) {
    MPI_Send(mine, sizeof mine, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return;
  }
  int fd = open_file("serial", -1);
  put(fd, 512 + 24L * ranks, 0);
  for (int from = 1; from < ranks; ++from) {
    MPI_Recv(mine, sizeof mine, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    put(fd, sizeof mine, 512 + 24L * ranks + from * (long)sizeof mine);
  }
  close(fd);
}

// A file per rank, one per group of ranks, and one that a few ranks write for all, in pieces.
static void groups(void) {
  int fd = open_file("own", rank);
  put(fd, 100 + rank % 4, 0);
  close(fd);
  fd = open_file("group", rank / group);
  put(fd, 2048, rank % group * 2048L);
  close(fd);
  if (rank >= aggregators) return;
  fd = open_file("collected", -1);
  long all = ranks * 5000L, share = (all + aggregators - 1) / aggregators, end = (rank + 1) * share;
  if (end > all) end = all;
  for (long at = rank * share; at < end; at += 10000) put(fd, end - at < 10000 ? end - at : 10000, at);
  close(fd);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  one_dimension();
  grids();
  serial();
  groups();
  MPI_Finalize();
  return 0;
}
