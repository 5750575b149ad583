/* Descriptors of our own lie above the limit of open files, where no call of a trace can put another one, and
 * are left open by those that close many. */
#include <sys/resource.h>  // RLIMIT_* rlimit getrlimit setrlimit
#include <sys/syscall.h>   // SYS_*
enum { most_kept = 2048 };
static int kept_descriptors[most_kept], kept_count;
static inline void keep_descriptor(int fd) {
  for (int i = 0; i < kept_count && i < most_kept; ++i)
    if (kept_descriptors[i] == fd) return;
  int place = __atomic_fetch_add(&kept_count, 1, __ATOMIC_RELAXED);
  if (place < most_kept) kept_descriptors[place] = fd;
}
/* The same file under a number out of reach. */
static inline int out_of_reach(int fd) {
  enum { most_of_trace = 65536, most_of_ours = 256 };
  static rlim_t reach;
  struct rlimit limit, wide;
  if (fd < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return fd;
  if (reach == 0) {
    reach = limit.rlim_cur < most_of_trace ? limit.rlim_cur : most_of_trace;
    if (limit.rlim_max < reach + most_of_ours && reach > 2 * most_of_ours) reach -= most_of_ours;
  }
  wide = limit;
  wide.rlim_cur = reach + most_of_ours;
  setrlimit(RLIMIT_NOFILE, &wide);
  int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, (int)reach);
  limit.rlim_cur = reach;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (high < 0) high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200);
  if (high < 0) return fd;
  syscall(SYS_close, fd);
  keep_descriptor(high);
  return high;
}
/* Those that are open before a trace begins are not its own either. */
static inline void keep_open_descriptors(void) {
  for (int fd = 3; fd < 1024; ++fd)
    if (syscall(SYS_fcntl, fd, F_GETFD) >= 0) keep_descriptor(fd);
}
/* The first of ours from a number on; -1: none. */
static inline long next_kept(unsigned from) {
  long next = -1;
  for (int i = 0; i < kept_count && i < most_kept; ++i)
    if ((unsigned)kept_descriptors[i] >= from && (next < 0 || kept_descriptors[i] < next))
      next = kept_descriptors[i];
  return next;
}
/* What close_range() does, around ours. */
static inline int close_around(unsigned first, unsigned last, int flags) {
  enum { close_range_number = 436, only_on_exec = 4 }; /* everywhere */
  if (first > last) {
    errno = EINVAL;
    return -1;
  }
  for (long ours; first <= last; first = (unsigned)ours + 1) {
    ours = next_kept(first);
    unsigned end = ours < 0 || (unsigned long)ours > last ? last : (unsigned)ours - 1;
    if (first <= end && ours != first && syscall(close_range_number, first, end, flags & only_on_exec) != 0 &&
        errno == ENOSYS)
      for (unsigned fd = first; fd <= end && fd < 65536; ++fd) syscall(SYS_close, fd);
    if (ours < 0 || (unsigned long)ours >= last) break;
  }
  return 0;
}
