// A job whose trace ends with a call that not all ranks made: rank 1 is killed inside its last barrier, which
// the others leave. To be killed there every time it makes that call unrecorded (refrain_pause is what
// kernels have, too) and ends itself afterwards, without a trace of it.
#define _XOPEN_SOURCE 700
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

extern void refrain_pause(void) __attribute__((weak));

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char name[32];
  snprintf(name, sizeof name, "part_%d", rank);
  FILE* file = fopen(name, "w");
  if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  fwrite(name, 1, sizeof name, file);
  fclose(file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    if (refrain_pause != NULL) refrain_pause();
    MPI_Barrier(MPI_COMM_WORLD);
    sleep(1);  // so that the others have left it
    kill(getpid(), SIGKILL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);  // nobody comes back from this one
  MPI_Finalize();
  return 0;
}
