// A particle simulation that saves its state now and then (as ddcMD does): ranks stand in groups, and the
// first of each group collects what the others send it and writes all of it with C streams. Aggregators write
// a file each, or all into one, every group at an offset of its own.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "checked_mpi.h"
#include "options.h"

enum { header_bytes = 128, data_tag = 7 };

static int steps = 3;
static int aggregators = 0;
static int one_file = 0;
static int state_bytes = 16384;
static int think = 0;

// A group of neighboring ranks; the lowest of them aggregates.
struct group {
  int number;
  int first;
  int members;
};

static void check_stdio(int good, const char* what) {
  if (good) return;
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static struct group find_group(int rank, int ranks) {
  int each = ranks / aggregators;
  int more = ranks % aggregators;
  int in_larger = more * (each + 1);
  int number = rank < in_larger ? rank / (each + 1) : more + (rank - in_larger) / each;
  struct group group = {number, number * each + (number < more ? number : more), each + (number < more)};
  return group;
}

// The state after `step` of the rank it belongs to.
static void compute(unsigned char* state, int rank, int step) {
  for (int i = 0; i < state_bytes; ++i) state[i] = (unsigned char)(i + 3 * rank + 5 * step);
}

// The stream for a group's data, at the place where they begin.
static FILE* open_for(const struct group* group, const char* folder, int ranks) {
  char name[96];
  FILE* stream = NULL;
  if (one_file) {
    snprintf(name, sizeof name, "%s/atoms", folder);
    stream = fopen(name, "r+");
    check_stdio(stream != NULL, name);
    off_t offset = header_bytes + (off_t)group->first * state_bytes;
    check_stdio(fseeko(stream, offset, SEEK_SET) == 0, "fseeko");
  } else {
    snprintf(name, sizeof name, "%s/atoms#%06d", folder, group->number);
    stream = fopen(name, "w");
    check_stdio(stream != NULL, name);
    int length = fprintf(stream, "group %6d of %6d ranks %6d..%6d", group->number, ranks, group->first,
                         group->first + group->members - 1);
    check_stdio(length > 0 && fprintf(stream, "%*s\n", header_bytes - 1 - length, "") > 0, "fprintf");
  }
  return stream;
}

static void collect_and_write(const struct group* group, const char* folder, int ranks,
                              unsigned char* state) {
  FILE* stream = open_for(group, folder, ranks);
  for (int member = 0; member < group->members; ++member) {
    if (member > 0) {
      check_mpi(MPI_Recv(state, state_bytes, MPI_BYTE, group->first + member, data_tag, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE),
                "MPI_Recv");
    }
    check_stdio(fwrite(state, 1, (size_t)state_bytes, stream) == (size_t)state_bytes, "fwrite");
  }
  check_stdio(fclose(stream) == 0, "fclose");
}

// Rank 0 makes the folder and, if there is to be one file only, the file with its header.
static void begin_checkpoint(const char* folder, int step) {
  check_stdio(mkdir(folder, 0755) == 0 || errno == EEXIST, folder);
  if (!one_file) return;
  char name[96];
  snprintf(name, sizeof name, "%s/atoms", folder);
  FILE* stream = fopen(name, "w");
  check_stdio(stream != NULL, name);
  check_stdio(fprintf(stream, "step %-*d\n", header_bytes - 6, step) == header_bytes, "fprintf");
  check_stdio(fclose(stream) == 0, "fclose");
}

static void write_checkpoint(int rank, int ranks, int step, unsigned char* state) {
  char folder[64];
  snprintf(folder, sizeof folder, "snapshot.%08d", step);
  if (rank == 0) begin_checkpoint(folder, step);
  check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  struct group group = find_group(rank, ranks);
  if (rank == group.first) {
    collect_and_write(&group, folder, ranks, state);
  } else {
    check_mpi(MPI_Send(state, state_bytes, MPI_BYTE, group.first, data_tag, MPI_COMM_WORLD), "MPI_Send");
  }
}

int main(int argc, char** argv) {
  const struct option_row rows[] = {
      {"steps", "checkpoints to write", &steps, 0, NULL},
      {"aggregators", "ranks that write; 0: one in four", &aggregators, 0, NULL},
      {"one-file", "0: each aggregator has a file; 1: they share one", &one_file, 0, NULL},
      {"bytes", "state of each rank", &state_bytes, 1, NULL},
      {"think", "microseconds to sleep in each step, for more computing than there is", &think, 0, NULL},
      {NULL, NULL, NULL, 0, NULL}};
  read_options(argc, argv, "checkpoints that a few ranks write for all, through C streams", rows);
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
  if (aggregators == 0) aggregators = (ranks + 3) / 4;
  if (aggregators > ranks) aggregators = ranks;

  unsigned char* state = check_memory(malloc((size_t)state_bytes));
  for (int step = 0; step < steps; ++step) {
    compute(state, rank, step);
    if (think > 0) usleep((useconds_t)think);
    write_checkpoint(rank, ranks, step, state);
  }
  free(state);
  if (rank == 0) printf("%d checkpoints written by %d of %d ranks\n", steps, aggregators, ranks);
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return 0;
}
