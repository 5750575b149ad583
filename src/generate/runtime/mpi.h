#include <mpi.h>  // MPI* PMPI*
static int mpi_on;
static inline void mpi_abandon(void) {
  if (mpi_on) MPI_Abort(MPI_COMM_WORLD, 1);
}
static inline void mpi_code(enum layer layer, int result, const char* call) {
  char reason[MPI_MAX_ERROR_STRING] = "";
  int length;
  if (!ended(layer, result != MPI_SUCCESS)) return;
  if (mpi_on) MPI_Error_string(result, reason, &length);
  stop(call, reason);
}
/* Libraries that don't tell how much they read leave what is in the status. */
static _Thread_local MPI_Status read_status;
static inline void mpi_expect(long long bytes) {
  quiet(1);
  MPI_Status_set_elements_x(&read_status, MPI_BYTE, bytes);
  quiet(0);
  expect(bytes);
}
static inline void mpi_brought(int result, const char* call) {
  MPI_Count bytes = 0;
  last_end = now();
  quiet(1);
  if (result == MPI_SUCCESS) MPI_Get_elements_x(&read_status, MPI_BYTE, &bytes);
  quiet(0);
  began += now() - last_end; /* this was no part of the call */
  to_read = bytes > 0 ? bytes : 0;
  if (result == MPI_SUCCESS) compared(to_read, call);
  mpi_code(mpiio, result, call);
}
/* Memory for elements of a type, wherever in them its data is. */
static inline char* mpi_room(char* (*memory)(long long), long long count, MPI_Datatype type,
                             long long* bytes) {
  MPI_Aint low, extent, true_low, true_extent;
  int size;
  MPI_Type_get_extent(type, &low, &extent);
  MPI_Type_get_true_extent(type, &true_low, &true_extent);
  MPI_Type_size(type, &size);
  *bytes = count > 0 ? count * size : 0;
  long long before = true_low < 0 ? -true_low : 0, turns = count > 0 ? count - 1 : 0;
  if (extent < 0) before += turns * -extent;
  long long all = before + true_low + true_extent + turns * (extent > 0 ? extent : 0);
  return memory(all > 0 ? all : 0) + before;
}
static inline char* mpi_memory_in(long long n) { return in(n); }
static inline char* mpi_memory_out(long long n) { return out(n); }
static inline void* mpi_in(long long count, MPI_Datatype type) {
  return mpi_room(mpi_memory_in, count, type, &to_read);
}
static inline void* mpi_out(long long count, MPI_Datatype type) {
  return mpi_room(mpi_memory_out, count, type, &to_write);
}
/* Once MPI has started: who we are, and whether we are as many as the kernel was made for. */
static inline void kernel_ranks(void) {
  int me, all;
  mpi_on = 1;
  abandon = mpi_abandon;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  rank = me;
  nprocs = all;
  if (RANKS == 0 || nprocs == RANKS) return; /* 0: any number */
  quiet(1);
  if (rank == 0)
    dprintf(errors,
            KERNEL ": this kernel was made for %d ranks and can't run on %lld; start it with mpirun -n %d\n",
            RANKS, nprocs, RANKS);
  MPI_Finalize();
  exit(2);
}
/* Beginning and end of MPI where they are not among the recorded calls of this rank. */
static inline void mpi_quietly_on(void) {
  if (mpi_on) return;
  quiet(1);
  MPI_Init(NULL, NULL);
  quiet(0);
  kernel_ranks();
}
static inline void mpi_quietly_off(void) {
  int ended = 0;
  quiet(1);
  MPI_Finalized(&ended);
  if (!ended) MPI_Finalize();
}
