// Calls of MPI, and of C, whose failure ends an example application: it says what failed and stops all ranks.
#ifndef REFRAIN_EXAMPLES_CHECKED_MPI_H
#define REFRAIN_EXAMPLES_CHECKED_MPI_H
#include <mpi.h>
#include <stdio.h>

static inline void stop(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// What MPI returns must be MPI_SUCCESS. (Errors on communicators are fatal by default, those on files are
// not.)
static inline void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char why[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, why, &length);
  stop(what, why);
}

// All of the transfer must have happened.
static inline void check_count(const MPI_Status* status, MPI_Datatype type, int expected, const char* what) {
  int count = 0;
  check_mpi(MPI_Get_count(status, type, &count), "MPI_Get_count");
  if (count != expected) stop(what, "not all of the data was transferred");
}

static inline void* check_memory(void* memory) {
  if (memory == NULL) stop("malloc", "out of memory");
  return memory;
}
#endif
