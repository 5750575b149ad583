// Threads, the options of a kernel, its run and its summary.
#include <pthread.h>  // pthread_* PTHREAD_*
static pthread_t thread_handles[THREADS];
static int thread_count;
static struct total thread_totals[layers];
static pthread_mutex_t thread_lock = PTHREAD_MUTEX_INITIALIZER;
static inline void* run_thread(void* body) {
  (*(void (**)(void))body)();
  pthread_mutex_lock(&thread_lock);
  for (int l = 0; l < layers; ++l) {
    thread_totals[l].calls += totals[l].calls;
    thread_totals[l].read += totals[l].read;
    thread_totals[l].written += totals[l].written;
    thread_totals[l].seconds += totals[l].seconds;
  }
  pthread_mutex_unlock(&thread_lock);
  return NULL;
}
static inline void start_thread(void (*body)(void)) {
  static void (*bodies[THREADS])(void);
  bodies[thread_count] = body;
  wall_shared = 1;
  int error = pthread_create(&thread_handles[thread_count], NULL, run_thread, &bodies[thread_count]);
  if (error) stop("pthread_create", strerror(error));
  ++thread_count;
}
static inline void join_threads(void) {
  for (int t = 0; t < thread_count; ++t) pthread_join(thread_handles[t], NULL);
  thread_count = 0;
  for (int l = 0; l < layers; ++l) {
    totals[l].calls += thread_totals[l].calls;
    totals[l].read += thread_totals[l].read;
    totals[l].written += thread_totals[l].written;
    totals[l].seconds += thread_totals[l].seconds;
  }
  memset(thread_totals, 0, sizeof thread_totals);
}
static double kernel_began;

static inline void usage(void) {
  printf(
      "usage: " KERNEL
      " [options]\n"
      "Makes the I/O calls that were recorded of another program.\n"
      "  --root DIR        folder in which files are read and written (default: a new one)\n"
      "  --prepare         first make the input files that the program found\n"
      "  --think HOW       time between calls: none (default), recorded, or a factor\n"
      "  --fill WHAT       data that is written: zero or pattern (default)\n"
      "  --repeat N        do everything N times\n"
      "  --no-sandbox      don't let the kernel of the system watch that files elsewhere stay as they are\n"
      "  --help            this text\n");
  if (RANKS > 0) printf("Runs on %d ranks: mpirun -n %d " KERNEL "\n", RANKS, RANKS);
}

static inline void wrong_usage(const char* what, const char* value) {
  fprintf(stderr, KERNEL ": %s '%s'; try --help\n", what, value);
  exit(2);
}

static inline void set_think(const char* how) {
  char* end = NULL;
  think_factor = strcmp(how, "none") == 0 ? 0 : strcmp(how, "recorded") == 0 ? 1 : strtod(how, &end);
  if ((end && (*end || end == how)) || !(think_factor >= 0)) wrong_usage("--think can't be", how);
}

/* A folder of its own for every run, the same for all ranks. */
static inline const char* new_root(void) {
  static char folder[512];
  char job[256];
  if (job_name(job, sizeof job))
    snprintf(folder, sizeof folder, KERNEL ".run-%s", job);
  else
    snprintf(folder, sizeof folder, KERNEL ".run-%lld", (long long)getpid());
  return folder;
}

static inline void kernel_begin(int argc, char** argv, const long long* times) {
  const char *root = NULL, *bare = NULL;
  int sandboxed = 1;
  find_recorder();
  quiet(1);
  if (restart_recorder) restart_recorder(ORIGIN);
  think_calls = (int)times[0];
  think_ns = times + 1;
  for (int i = 1; i < argc; ++i) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(option, "--help") == 0) {
      usage();
      exit(0);
    }
    if (strcmp(option, "--no-sandbox") == 0) {
      sandboxed = 0;
      continue;
    }
    if (strcmp(option, "--prepare") == 0) {
      prepare_inputs = 1;
      continue;
    }
    if (strncmp(option, "--", 2) != 0) wrong_usage("unknown word", option);
    if (!value) wrong_usage("a value is missing behind", option);
    if (strcmp(option, "--root") == 0)
      root = value;
    else if (strcmp(option, "--think") == 0)
      set_think(value);
    else if (strcmp(option, "--fill") == 0 && strcmp(value, "zero") == 0)
      fill_zero = 1;
    else if (strcmp(option, "--fill") == 0 && strcmp(value, "pattern") == 0)
      fill_zero = 0;
    else if (strcmp(option, "--repeat") == 0 && (repeat = atoll(value)) > 0)
      ;
    else
      wrong_usage("can't be understood:", option);
    ++i;
  }
  if (think_factor > 0 && think_calls == 0) wrong_usage("no times are known for", "--think");
  const struct Launcher* started_by = own_launcher();
  if (started_by) rank = launcher_number(started_by->rank);
  if (started_by && launcher_number(started_by->size) > 0) nprocs = launcher_number(started_by->size);
  if (at_start) at_start();
  if (joined_root) root = joined_root;
  if (!root) root = new_root();
  int before = joined_root ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (!joined_root && mkdir(root, 0777) != 0 && errno != EEXIST) stop(root, strerror(errno));
  if (chdir(root) != 0) stop(root, strerror(errno));
  if (wall_begin() != 0) stop(root, strerror(errno));
  wall_shared = nprocs > 1;
  if (before >= 0) {
    wall_moves = 1;
    if (fchdir(before) != 0) stop("a folder", strerror(errno));
    close(before);
  }
  if (root_is_ready) root_is_ready();
  setenv("PWD", wall_folder[0] ? wall_folder : "/", 1); /* where libraries look first */
  if (sandboxed && !joined_root) bare = wall_raise(USES_MPI);
  if (bare && rank == 0) dprintf(errors, KERNEL ": there is no sandbox around this kernel: %s\n", bare);
  quiet(0);
  kernel_began = now();
}

static inline const char* amount(double bytes) {
  static char texts[4][32];
  static int next;
  const char* units[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 5) bytes /= 1000, ++unit;
  char* text = texts[next++ % 4];
  snprintf(text, sizeof texts[0], unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

#define LAYER_NAME(name) #name,
/* The summary, by rank 0, of all ranks together, while MPI is on. Times are those of the slowest. */
static inline void kernel_end(void) {
  static const char* names[] = {LAYERS(LAYER_NAME)};
  static int done;
  if (done++) return;
  double seconds = now() - kernel_began;
  quiet(1);
  long long teller = sum_over_ranks(&seconds);
  if (prepared_mark[0]) unlink(prepared_mark);
  int elsewhere = summed_up_elsewhere && summed_up_elsewhere();
  if (crowd) seconds = now() - kernel_began;
  if (rank == 0 && !elsewhere) {
    const char* who = crowd > 1 ? "processes" : nprocs == 1 ? "process" : "ranks";
    dprintf(output, KERNEL ": %lld %s, %.3f s\n", crowd > 1 ? crowd : nprocs, who, seconds);
    dprintf(output, "%-7s %12s %10s %10s %10s %13s\n", "layer", "calls", "read", "written", "seconds",
            "bandwidth");
    for (int l = 0; l < layers; ++l) {
      struct total* t = &totals[l];
      if (!t->calls) continue;
      double bytes = (double)(t->read + t->written);
      dprintf(output, "%-7s %12lld %10s %10s %10.3f %11s/s\n", names[l], t->calls, amount((double)t->read),
              amount((double)t->written), t->seconds, amount(t->seconds > 0 ? bytes / t->seconds : 0));
    }
    if (surprises) dprintf(output, "%lld calls worked that had failed when they were recorded\n", surprises);
    if (races)
      dprintf(output, "%lld calls ended otherwise than recorded: ranks race for their files\n", races);
  }
  if (short_reads && rank == teller) {
    dprintf(errors, KERNEL ": %lld %s brought %lld bytes less than recorded; the first, on rank %lld: %s\n",
            short_reads, short_reads == 1 ? "read" : "reads", bytes_missing, rank, first_short);
    if (inputs_left_out) dprintf(errors, KERNEL ": " ADVICE);
  }
  quiet(0);
}
/* Of the program: whether it did what was recorded. */
static inline int exit_code(void) {
  quiet(1);
  return short_reads ? 1 : 0;
}
#endif
