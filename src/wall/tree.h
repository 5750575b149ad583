/* Trees of processes: a kernel or a replay of one starts a process for each recorded one, where it was
 * started, waits where it waited, and keeps the order that pipes gave. Each process is this program again,
 * started by fork and exec; which one it is stands in the environment, what all share in a page of memory. A
 * link between processes is a pipe through which one byte goes: who hears reads it, who tells has written it.
 */
#include <poll.h>      // poll POLL*
#include <sys/mman.h>  // mmap PROT_* MAP_*
#include <sys/wait.h>  // waitpid
enum tree_kind { tree_starts, tree_forks, tree_becomes, tree_awaits, tree_tells, tree_hears };
struct tree_step {
  long long at; /* after so many calls */
  int kind, number;
};
struct tree_page {
  int failed, processes, links;
  int said[2];        /* standard output and error of the whole */
  int alive[2];       /* a pipe that all hold open until they end */
  long long sums[80]; /* what all did, for the summary */
  int numbers[];      /* pids by process, then a pipe for each link */
};
static struct tree_page* tree;
static int tree_memory = -1; /* the descriptor of the page */
static const struct tree_step *tree_next, *tree_end;
static long long tree_calls;
static char** tree_words;
static char tree_root[4200]; /* of a process that isn't the first */

static inline int* tree_links(void) { return tree->numbers + tree->processes; }
static inline size_t tree_size(int processes, int links) {
  return sizeof(struct tree_page) + sizeof(int) * ((size_t)processes + (size_t)links);
}
/* Out of reach of the trace's own descriptors, and open in all processes to come. */
static inline int tree_kept(int fd) {
  int high = out_of_reach(fd);
  if (high >= 0) syscall(SYS_fcntl, high, F_SETFD, 0);
  return high;
}
static inline int tree_pipe(int* ends) {
  int low[2] = {-1, -1};
  if (syscall(SYS_pipe2, low, 0) != 0) return -1;
  for (int i = 0; i < 2; ++i) ends[i] = tree_kept(low[i]);
  return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}
static inline struct tree_page* tree_map(int fd, size_t size) {
  long at = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return at < 0 && at > -4096 ? NULL : (struct tree_page*)at;
}
/* What all processes share, made by the first one, once it knows its root. NULL, or what went wrong. */
static inline const char* tree_make(int processes, int links) {
  size_t size = tree_size(processes, links);
  tree_memory = (int)syscall(SYS_memfd_create, "refrain", 0);
  if (tree_memory < 0 || syscall(SYS_ftruncate, tree_memory, size) != 0) return strerror(errno);
  tree_memory = tree_kept(tree_memory);
  tree = tree_map(tree_memory, size);
  if (!tree) return "there is no memory";
  tree->processes = processes;
  tree->links = links;
  tree->said[0] = tree_kept((int)syscall(SYS_dup, 1));
  tree->said[1] = tree_kept((int)syscall(SYS_dup, 2));
  /* What the trace does with these is its own affair. */
  int nothing = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
  for (int i = 0; i < 3 && nothing > 2; ++i) syscall(SYS_dup3, nothing, i, 0);
  if (nothing > 2) syscall(SYS_close, nothing);
  if (tree_pipe(tree->alive) != 0) return strerror(errno);
  for (int i = 0; i < links; ++i) {
    int ends[2];
    char name[40];
    if (tree_pipe(ends) != 0) return strerror(errno);
    /* One descriptor will do: it leads to both ends. */
    snprintf(name, sizeof name, "/proc/self/fd/%d", ends[0]);
    tree_links()[i] = tree_kept((int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR));
    if (tree_links()[i] < 0) return strerror(errno);
    for (int k = 0; k < 2; ++k) syscall(SYS_close, ends[k]);
  }
  return NULL;
}
/* Which process of the tree this is, as the environment says: 0 the first one. */
static inline int tree_number(void) {
  const char* told = getenv("REFRAIN_TREE");
  int number = 0, processes = 0, links = 0, rest = 0;
  if (!told || sscanf(told, "%d %d %d %d %n", &number, &tree_memory, &processes, &links, &rest) < 4) return 0;
  snprintf(tree_root, sizeof tree_root, "%s", told + rest);
  unsetenv("REFRAIN_TREE");
  tree = tree_map(tree_memory, tree_size(processes, links));
  if (!tree || tree->processes != processes) return -1;
  keep_descriptor(tree_memory);
  for (int i = 0; i < 2; ++i) keep_descriptor(tree->said[i]), keep_descriptor(tree->alive[i]);
  for (int i = 0; i < links; ++i) keep_descriptor(tree_links()[i]);
  return number;
}
static inline void tree_follow(const struct tree_step* steps, size_t count, char** words) {
  tree_next = steps;
  tree_end = steps + count;
  tree_words = words;
}

/* This program goes on as that process. */
static inline void tree_go_on_as(int number) {
  char told[4400];
  snprintf(told, sizeof told, "%d %d %d %d %s", number, tree_memory, tree->processes, tree->links,
           tree_root[0]     ? tree_root
           : wall_folder[0] ? wall_folder
                            : "/");
  setenv("REFRAIN_TREE", told, 1);
  execv("/proc/self/exe", tree_words);
  __atomic_store_n(&tree->failed, 1, __ATOMIC_SEQ_CST);
  _exit(1);
}
/* A child that stays the same program keeps descriptors that others lose. */
static inline void tree_keep_all(void) {
  for (int fd = 3; fd < 1024; ++fd) {
    int ours = 0;
    for (int i = 0; i < kept_count && i < most_kept; ++i) ours |= kept_descriptors[i] == fd;
    if (!ours && syscall(SYS_fcntl, fd, F_GETFD) >= 0) syscall(SYS_fcntl, fd, F_SETFD, 0);
  }
}
static inline void tree_leave_if_failed(void) {
  if (__atomic_load_n(&tree->failed, __ATOMIC_SEQ_CST)) _exit(1);
}
static inline void tree_tell(int link) {
  char name[40];
  snprintf(name, sizeof name, "/proc/self/fd/%d", tree_links()[link]);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY);
  if (fd < 0 || write(fd, "", 1) != 1) __atomic_store_n(&tree->failed, 1, __ATOMIC_SEQ_CST);
  close(fd);
}
static inline void tree_hear(int link) {
  char name[40], byte;
  struct pollfd what = {tree_links()[link], POLLIN, 0};
  while (poll(&what, 1, 100) <= 0) tree_leave_if_failed();
  snprintf(name, sizeof name, "/proc/self/fd/%d", tree_links()[link]);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
  if (fd < 0 || read(fd, &byte, 1) != 1) __atomic_store_n(&tree->failed, 1, __ATOMIC_SEQ_CST);
  close(fd);
}
static inline void tree_take(const struct tree_step* step) {
  int status;
  pid_t pid;
  switch (step->kind) {
    case tree_starts:
    case tree_forks:
      pid = fork();
      if (pid == 0 && step->kind == tree_forks) tree_keep_all();
      if (pid == 0) tree_go_on_as(step->number);
      if (pid < 0) __atomic_store_n(&tree->failed, 1, __ATOMIC_SEQ_CST);
      tree->numbers[step->number] = pid;
      break;
    case tree_becomes:
      tree_go_on_as(step->number);
      break;
    case tree_awaits:
      waitpid(tree->numbers[step->number], &status, 0);
      break;
    case tree_tells:
      tree_tell(step->number);
      break;
    case tree_hears:
      tree_hear(step->number);
      break;
  }
  tree_leave_if_failed();
}
/* Before each call of the main thread: what the process does with others comes first. */
static inline void tree_call(void) {
  while (tree_next < tree_end && tree_next->at <= tree_calls && tree_next->kind != tree_becomes)
    tree_take(tree_next++);
  ++tree_calls;
}
/* After the last one. What the process becomes, if anything, is left to tree_change(). */
static inline void tree_rest(void) {
  while (tree_next < tree_end && tree_next->kind != tree_becomes) tree_take(tree_next++);
}
static inline void tree_change(void) {
  if (tree_next < tree_end) tree_take(tree_next);
}
/* The first process waits until all others have ended. */
static inline void tree_wait_for_all(void) {
  char byte;
  syscall(SYS_close, tree->alive[1]);
  while (syscall(SYS_read, tree->alive[0], &byte, 1) < 0 && errno == EINTR) {
  }
}
/* What a process found open that its parent in the tree had left open: the same, so that both move one
 * position. -1 if there is none. */
static inline int tree_handed_down(int fd, const char* path, int flags) {
  struct stat wanted, found;
  if (!tree) return -1;
  int known = syscall(SYS_newfstatat, AT_FDCWD, path, &wanted, 0) == 0;
  for (int at = fd, turn = -1; turn < 1024; at = ++turn) {
    if (syscall(SYS_fstat, at, &found) != 0 || !(S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) continue;
    if ((syscall(SYS_fcntl, at, F_GETFL) & O_ACCMODE) != (flags & O_ACCMODE)) continue;
    if (known ? found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev : at == fd) return at;
  }
  return -1;
}
