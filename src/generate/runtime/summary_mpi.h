// summary: mpi
static inline void sum_over_ranks(double* seconds) {
  for (int l = 0; l < layers && mpi_on; ++l) {
    struct total mine = totals[l];
    MPI_Reduce(&mine.calls, &totals[l].calls, 3, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine.seconds, &totals[l].seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  double mine = *seconds;
  if (mpi_on) MPI_Reduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}
