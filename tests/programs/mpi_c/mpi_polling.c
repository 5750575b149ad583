// Starts a write that does not wait, asks over and over whether it is done, and does the same with messages.
// How often it has to ask depends on timing.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { steps = 8, values = 4096 };

static int data[values];

int main(int argc, char** argv) {
  int rank = 0, ranks = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(MPI_COMM_WORLD, "polled", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int step = 0; step < steps; ++step) {
    MPI_Request writing = MPI_REQUEST_NULL, message[2];
    int received = 0, done = 0;
    MPI_Offset offset = ((MPI_Offset)step * ranks + rank) * (MPI_Offset)sizeof data;
    MPI_File_iwrite_at(file, offset, data, values, MPI_INT, &writing);
    while (!done) MPI_Test(&writing, &done, MPI_STATUS_IGNORE);
    MPI_Irecv(&received, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &message[0]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &message[1]);
    for (done = 0; !done;) MPI_Testall(2, message, &done, MPI_STATUSES_IGNORE);
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
