static long long repeat = 1;
static int prepare_inputs;
static char prepared_mark[4400]; /* tells the other ranks that inputs are there */
