/* Prints what a model of CODES gets from the workload that a configuration names, whatever its method: the
 * operations of ranks FIRST to FIRST + COUNT - 1 of RANKS, in the words of CODES. What is behind `-s` only
 * counts, for numbers of ranks at which nobody reads lines. See README.md.
 *
 *   codes-operations [-s] CONFIGURATION RANKS [FIRST COUNT] */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes/codes-workload.h"
#include "codes/configuration.h"

/* Sums over all ranks that were asked for. */
struct totals {
  uint64_t opens, closes, barriers, reads, read_bytes, writes, written_bytes;
  double delay_s;
};

static void count(struct totals* totals, const struct codes_workload_op* op) {
  switch (op->op_type) {
    case CODES_WK_OPEN:
      ++totals->opens;
      break;
    case CODES_WK_CLOSE:
      ++totals->closes;
      break;
    case CODES_WK_BARRIER:
      ++totals->barriers;
      break;
    case CODES_WK_READ:
      ++totals->reads;
      totals->read_bytes += op->u.read.size;
      break;
    case CODES_WK_WRITE:
      ++totals->writes;
      totals->written_bytes += op->u.write.size;
      break;
    case CODES_WK_DELAY:
      totals->delay_s += op->u.delay.seconds;
      break;
    default:
      break;
  }
}

static int go_through(const codes_workload_config_return* workload, int rank, int only_sums,
                      struct totals* totals) {
  struct codes_workload_op op;
  int id = codes_workload_load(workload->type, workload->params, 0, rank);
  if (id < 0) return -1;
  for (codes_workload_get_next(id, 0, rank, &op); op.op_type != CODES_WK_END;
       codes_workload_get_next(id, 0, rank, &op)) {
    count(totals, &op);
    if (!only_sums) codes_workload_print_op(stdout, &op, 0, rank);
  }
  return 0;
}

int main(int argc, char** argv) {
  ConfigHandle configuration;
  codes_workload_config_return workload;
  struct totals t = {0};
  int only_sums, ranks, first, last, rank;
  MPI_Init(&argc, &argv);
  only_sums = argc > 1 && strcmp(argv[1], "-s") == 0;
  argv += only_sums;
  argc -= only_sums;
  if (argc != 3 && argc != 5) {
    fprintf(stderr, "Usage: codes-operations [-s] CONFIGURATION RANKS [FIRST COUNT]\n");
    return 2;
  }
  ranks = atoi(argv[2]);
  first = argc == 5 ? atoi(argv[3]) : 0;
  last = argc == 5 ? first + atoi(argv[4]) : ranks;
  /* Fails for want of LPGROUPS, too, which only a model needs; what is read is there all the same. */
  configuration = NULL;
  configuration_load(argv[1], MPI_COMM_WORLD, &configuration);
  if (!configuration) return 1;
  workload = codes_workload_read_config(&configuration, "PARAMS", NULL, ranks);
  if (!workload.type || !workload.params) return 1;
  putchar('\n'); /* ends a line that CODES began */
  for (rank = first; rank < last; ++rank)
    if (go_through(&workload, rank, only_sums, &t) != 0) return 1;
  if (only_sums)
    printf("opens %" PRIu64 " closes %" PRIu64 " barriers %" PRIu64 " reads %" PRIu64 " bytes %" PRIu64
           " writes %" PRIu64 " bytes %" PRIu64 " delay %.6f\n",
           t.opens, t.closes, t.barriers, t.reads, t.read_bytes, t.writes, t.written_bytes, t.delay_s);
  MPI_Finalize();
  return 0;
}
