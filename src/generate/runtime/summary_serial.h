// summary: serial
static inline long long sum_over_ranks(double* seconds) { return (void)seconds, rank; }
