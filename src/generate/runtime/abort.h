/* The recorded program ended its job in the middle. Here that is left to the end, so that all ranks make the
 * calls that they made. */
static MPI_Comm abort_comm;
static int abort_code, abort_due;
static inline int abort_in_the_end(MPI_Comm comm, int with_code) {
  abort_due = 1;
  abort_comm = comm;
  abort_code = with_code;
  return MPI_SUCCESS;
}
static inline void abort_as_recorded(void) {
  quiet(1);
  if (mpi_on) MPI_Barrier(MPI_COMM_WORLD); /* the summary has been printed */
  if (abort_due)
    dprintf(errors, KERNEL ": rank %lld ends the job by MPI_Abort with code %d, as the recorded one did\n",
            rank, abort_code);
  quiet(0);
  if (abort_due) MPI_Abort(abort_comm, abort_code);
}
