// Messages and collective operations that surround I/O in real applications: one of each common kind.
#include "every_mpiio.h"

enum { most_ranks = 4096 };

static int all[most_ranks];
static int counts[most_ranks];
static int places[most_ranks];

static void point_to_point(void) {
  int next = (rank + 1) % ranks;
  int before = (rank + ranks - 1) % ranks;
  int sent = rank;
  int received = -1;
  MPI_Status status;
  MPI_Request requests[2];
  MUST(MPI_Sendrecv(&sent, 1, MPI_INT, next, 1, &received, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &status));
  note("from before: %d", received == before);
  MUST(MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[0]));
  MUST(MPI_Isend(&sent, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]));
  MUST(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  MUST(MPI_Isend(&sent, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[0]));
  MUST(MPI_Probe(before, 3, MPI_COMM_WORLD, &status));
  MUST(MPI_Recv(&received, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &status));
  MUST(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  char room[256];
  void* old = NULL;
  int size = 0;
  MUST(MPI_Buffer_attach(room, (int)sizeof room));
  MUST(MPI_Bsend(&sent, 1, MPI_INT, next, 4, MPI_COMM_WORLD));
  MUST(MPI_Recv(&received, 1, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MUST(MPI_Buffer_detach(&old, &size));
}

static void collectives(void) {
  int mine = rank + 1;
  int sum = 0;
  int part = 0;
  int root = ranks - 1;
  MPI_Request request = MPI_REQUEST_NULL;
  for (int r = 0; r < ranks; ++r) counts[r] = 1, places[r] = r;
  MUST(MPI_Bcast(&mine, 1, MPI_INT, root, MPI_COMM_WORLD));
  mine = rank + 1;
  MUST(MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
  MUST(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  MUST(MPI_Scan(&mine, &part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  note("sum right: %d, scan right: %d", sum == ranks * (ranks + 1) / 2, part == mine * (mine + 1) / 2);
  part = 0;
  MUST(MPI_Exscan(&mine, &part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  MUST(MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD));
  MUST(MPI_Scatter(all, 1, MPI_INT, &part, 1, MPI_INT, root, MPI_COMM_WORLD));
  MUST(MPI_Gatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD));
  MUST(MPI_Scatterv(all, counts, places, MPI_INT, &part, 1, MPI_INT, root, MPI_COMM_WORLD));
  MUST(MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
  MUST(MPI_Allgatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD));
  static int to_all[most_ranks];
  MUST(MPI_Alltoall(all, 1, MPI_INT, to_all, 1, MPI_INT, MPI_COMM_WORLD));
  MUST(MPI_Alltoallv(all, counts, places, MPI_INT, to_all, counts, places, MPI_INT, MPI_COMM_WORLD));
  MUST(MPI_Reduce_scatter_block(all, &part, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  MUST(MPI_Ibcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
  MUST(MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
  MUST(MPI_Ibarrier(MPI_COMM_WORLD, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
  MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void larger(void* in, void* in_out, int* length, MPI_Datatype* type) {
  (void)type;
  const int* a = in;
  int* b = in_out;
  for (int i = 0; i < *length; ++i) b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void own_operation(void) {
  MPI_Op operation = MPI_OP_NULL;
  int largest = 0;
  MUST(MPI_Op_create(larger, 1, &operation));
  MUST(MPI_Allreduce(&rank, &largest, 1, MPI_INT, operation, MPI_COMM_WORLD));
  MUST(MPI_Op_free(&operation));
  note("largest right: %d", largest == ranks - 1);
}

void exchange_messages(void) {
  if (ranks > most_ranks) return;
  point_to_point();
  collectives();
  own_operation();
}
