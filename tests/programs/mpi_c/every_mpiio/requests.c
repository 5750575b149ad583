// Every way in which nonblocking transfers come to their end, of files and of messages, and requests that are
// used over and over.
#include "every_mpiio.h"

enum { many = 6 };

static int values[many][block_count];
static MPI_Request requests[many];
static MPI_Status statuses[many];
static int indices[many];

static void start_writes(MPI_File file) {
  for (int i = 0; i < many; ++i) {
    fill(values[i], block_count, rank, 40 + i);
    MPI_Offset offset = ((MPI_Offset)rank * many + i) * (MPI_Offset)sizeof values[i];
    MUST(MPI_File_iwrite_at(file, offset, values[i], block_count, MPI_INT, &requests[i]));
  }
}

static void start_reads(MPI_File file) {
  memset(values, 0, sizeof values);
  for (int i = 0; i < many; ++i) {
    MPI_Offset offset = ((MPI_Offset)rank * many + i) * (MPI_Offset)sizeof values[i];
    MUST(MPI_File_iread_at(file, offset, values[i], block_count, MPI_INT, &requests[i]));
  }
}

static void check_reads(void) {
  for (int i = 0; i < many; ++i) expect_filled(values[i], block_count, rank, 40 + i);
}

static void wait_in_all_ways(MPI_File file) {
  start_writes(file);
  MUST(MPI_Waitall(many, requests, statuses));
  for (int i = 0; i < many; ++i) expect_count(&statuses[i], MPI_INT, block_count);
  start_reads(file);
  MUST(MPI_Waitall(many, requests, MPI_STATUSES_IGNORE));
  check_reads();
  start_reads(file);
  int index = 0;
  for (int i = 0; i < many; ++i) MUST(MPI_Waitany(many, requests, &index, &statuses[0]));
  check_reads();
  start_reads(file);
  int done = 0;
  while (done != MPI_UNDEFINED) MUST(MPI_Waitsome(many, requests, &done, indices, statuses));
  check_reads();
  start_reads(file);
  for (int i = many - 1; i >= 0; --i) MUST(MPI_Wait(&requests[i], &statuses[i]));
  check_reads();
}

static void test_in_all_ways(MPI_File file) {
  int flag = 0;
  start_reads(file);
  for (int i = 0; i < many; ++i) {
    for (flag = 0; !flag;) MUST(MPI_Test(&requests[i], &flag, &statuses[i]));
  }
  check_reads();
  start_reads(file);
  for (flag = 0; !flag;) MUST(MPI_Testall(many, requests, &flag, statuses));
  check_reads();
  start_reads(file);
  int index = 0;
  for (int left = many; left > 0; left -= flag)
    MUST(MPI_Testany(many, requests, &index, &flag, &statuses[0]));
  check_reads();
  start_reads(file);
  int done = 0;
  while (done != MPI_UNDEFINED) MUST(MPI_Testsome(many, requests, &done, indices, statuses));
  check_reads();
  start_reads(file);
  // MPICH 4.0 never says so of requests of files.
  flag = 0;
  for (int tries = 0; !flag && tries < 1000000; ++tries)
    MUST(MPI_Request_get_status(requests[0], &flag, &statuses[0]));
  MUST(MPI_Waitall(many, requests, statuses));
  check_reads();
  // Nothing under way: done at once.
  MUST(MPI_Test(&requests[0], &flag, &statuses[0]));
  MUST(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
  note("a request that is none is done: %d", flag);
}

void complete_requests(void) {
  MPI_File file = open_fresh(MPI_COMM_WORLD, "requests");
  wait_in_all_ways(file);
  test_in_all_ways(file);
  MUST(MPI_File_close(&file));
}

static int query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 3);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int release(void* state) {
  (void)state;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
  (void)state, (void)complete;
  return MPI_SUCCESS;
}

static void own_kind_of_request(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  MUST(MPI_Grequest_start(query, release, cancel, NULL, &request));
  MUST(MPI_Grequest_complete(request));
  MUST(MPI_Wait(&request, &status));
  expect_count(&status, MPI_INT, 3);
}

static void cancelled_request(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  int never = 0;
  int cancelled = 0;
  MUST(MPI_Irecv(&never, 1, MPI_INT, rank, 99, MPI_COMM_WORLD, &request));
  MUST(MPI_Cancel(&request));
  MUST(MPI_Wait(&request, &status));
  MUST(MPI_Test_cancelled(&status, &cancelled));
  note("cancelled: %d", cancelled);
}

// Round the ring, three times with the same requests; a file gets what comes.
void restart_requests(void) {
  int next = (rank + 1) % ranks;
  int before = (rank + ranks - 1) % ranks;
  int sent[4];
  int received[4];
  MPI_Request ring[2];
  MUST(MPI_Recv_init(received, 4, MPI_INT, before, 5, MPI_COMM_WORLD, &ring[0]));
  MUST(MPI_Send_init(sent, 4, MPI_INT, next, 5, MPI_COMM_WORLD, &ring[1]));
  MPI_File file = open_fresh(MPI_COMM_WORLD, "ring");
  for (int i = 0; i < 3; ++i) {
    fill(sent, 4, rank, 50 + i);
    if (i == 0) {
      MUST(MPI_Start(&ring[0]));
      MUST(MPI_Start(&ring[1]));
    } else {
      MUST(MPI_Startall(2, ring));
    }
    MUST(MPI_Waitall(2, ring, MPI_STATUSES_IGNORE));
    expect_filled(received, 4, before, 50 + i);
    MPI_Offset offset = ((MPI_Offset)i * ranks + rank) * (MPI_Offset)sizeof received;
    MUST(MPI_File_write_at(file, offset, received, 4, MPI_INT, MPI_STATUS_IGNORE));
  }
  MUST(MPI_Request_free(&ring[1]));
  MUST(MPI_Request_free(&ring[0]));
  MUST(MPI_File_close(&file));

  MUST(MPI_Recv_init(received, 4, MPI_INT, before, 6, MPI_COMM_WORLD, &ring[0]));
  MUST(MPI_Ssend_init(sent, 4, MPI_INT, next, 6, MPI_COMM_WORLD, &ring[1]));
  MUST(MPI_Startall(2, ring));
  MUST(MPI_Waitall(2, ring, MPI_STATUSES_IGNORE));
  MUST(MPI_Request_free(&ring[1]));
  MUST(MPI_Request_free(&ring[0]));
  own_kind_of_request();
  cancelled_request();
}
