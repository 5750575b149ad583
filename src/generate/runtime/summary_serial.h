// summary: serial
static inline void sum_over_ranks(double* seconds) { (void)seconds; }
