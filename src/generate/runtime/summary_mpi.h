// summary: mpi
/* Adds up what ranks have to say, and chooses the one that says it: the first of those that found something.
 */
static inline long long sum_over_ranks(double* seconds) {
  long long teller = short_reads ? rank : nprocs;
  if (!mpi_on) return teller;
  for (int l = 0; l < layers; ++l) {
    struct total mine = totals[l];
    MPI_Reduce(&mine.calls, &totals[l].calls, 3, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine.seconds, &totals[l].seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  double mine = *seconds;
  MPI_Reduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  long long sums[4] = {surprises, short_reads, bytes_missing, races};
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &teller, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  surprises = sums[0];
  short_reads = sums[1];
  bytes_missing = sums[2];
  races = sums[3];
  return teller;
}
