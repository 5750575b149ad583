// Processes of a tree; see src/wall/tree.h.
static int tree_processes, tree_pipes, tree_ends_all;
static inline void tree_abandon(void) {
  if (tree) __atomic_store_n(&tree->failed, 1, __ATOMIC_SEQ_CST);
}
static inline void tree_root_is_ready(void) {
  wall_shared = 1;
  if (repeat > 1) stop("--repeat", "a tree of processes runs once");
  const char* reason = tree ? NULL : tree_make(tree_processes, tree_pipes);
  if (reason) stop("what the processes share", reason);
  output = tree->said[0];
  errors = tree->said[1];
}
enum { tree_at_fault = 64, tree_surprises, tree_races };
static inline void tree_add(int place, long long more) {
  __atomic_fetch_add(&tree->sums[place], more, __ATOMIC_SEQ_CST);
}
/* True if another process says what was done. */
static inline int tree_sum_up(void) {
  if (tree_ends_all) tree_wait_for_all();
  for (int l = 0; l < layers; ++l) {
    struct total* t = &totals[l];
    tree_add(4 * l, t->calls);
    tree_add(4 * l + 1, t->read);
    tree_add(4 * l + 2, t->written);
    tree_add(4 * l + 3, (long long)(t->seconds * 1e9));
    long long* sums = tree->sums + 4 * l;
    *t = (struct total){sums[0], sums[1], sums[2], (double)sums[3] * 1e-9};
  }
  tree_add(tree_at_fault, short_reads > 0);
  tree_add(tree_surprises, surprises);
  tree_add(tree_races, races);
  surprises = tree->sums[tree_surprises];
  races = tree->sums[tree_races];
  crowd = tree_processes;
  return !tree_ends_all;
}
/* Before anything else. `ends_all`: nothing comes after this one. */
static inline void tree_begin(const struct tree_step* steps, size_t count, char** words, int processes,
                              int links, int ends_all) {
  if (tree_number() < 0) exit(1);
  if (tree) {
    output = tree->said[0];
    errors = tree->said[1];
    joined_root = tree_root;
  }
  tree_follow(steps, count, words);
  tree_processes = processes;
  tree_pipes = links;
  tree_ends_all = ends_all;
  handed_down = tree_handed_down;
  before_call = tree_call;
  abandon = tree_abandon;
  root_is_ready = tree_root_is_ready;
  summed_up_elsewhere = tree_sum_up;
}
static inline int tree_code(int code) {
  return code || tree->sums[tree_at_fault] || (tree_ends_all && tree->failed);
}
