/* Parts of files that calls of the trace have mapped. Calls about other memory are not made: it isn't theirs.
 */
struct mapped_part {
  uintptr_t begin, end;
};
static struct mapped_part mapped_parts[4096];
static int mapped_count, mapped_lock;
static inline void lock_mapped(void) {
  while (__atomic_exchange_n(&mapped_lock, 1, __ATOMIC_ACQUIRE)) {
  }
}
static inline void unlock_mapped(void) { __atomic_store_n(&mapped_lock, 0, __ATOMIC_RELEASE); }
static inline uintptr_t page_end(uintptr_t address) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return (address + page - 1) / page * page;
}
/* What mmap() gave. */
static inline void* take_mapped(void* address, size_t length) {
  lock_mapped();
  if (address != MAP_FAILED && mapped_count < (int)(sizeof mapped_parts / sizeof *mapped_parts))
    mapped_parts[mapped_count++] =
        (struct mapped_part){(uintptr_t)address, page_end((uintptr_t)address + length)};
  unlock_mapped();
  return address;
}
/* Whether so many bytes from there on are one of those; if so and they are to be unmapped, they no longer
 * are. */
static inline int is_mapped(uintptr_t begin, size_t length, int unmaps) {
  int found = -1;
  if (length > UINTPTR_MAX / 4 || begin > UINTPTR_MAX / 2) return 0;
  uintptr_t end = page_end(begin + length);
  lock_mapped();
  for (int i = 0; i < mapped_count && found < 0; ++i)
    if (mapped_parts[i].begin <= begin && end <= mapped_parts[i].end) found = i;
  if (found >= 0 && unmaps) {
    struct mapped_part behind = {end, mapped_parts[found].end};
    mapped_parts[found].end = begin;
    if (mapped_parts[found].begin == begin) mapped_parts[found] = mapped_parts[--mapped_count];
    if (behind.begin < behind.end && mapped_count < (int)(sizeof mapped_parts / sizeof *mapped_parts))
      mapped_parts[mapped_count++] = behind;
  }
  unlock_mapped();
  return found >= 0;
}
/* Makes pages dirty as stores do that change nothing; without a signal where no file is behind them, or where
 * nothing may be stored. */
static inline ssize_t store_pages(char* at, size_t length) {
  enum { populate_write = 23 }; /* MADV_POPULATE_WRITE, Linux 5.14 */
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)at / page * page;
  uintptr_t end = page_end((uintptr_t)at + length);
  if (madvise((void*)begin, end - begin, populate_write) == 0) return (ssize_t)length;
  if (errno != EINVAL) return -1;
  for (; begin < end; begin += page) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void*)begin, 1};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != 1) return -1;
    if (process_vm_writev(getpid(), &here, 1, &there, 1, 0) != 1) return -1;
  }
  return (ssize_t)length;
}
/* Where mmap() is told to put it: anywhere, or, if it was told exactly, where there is room that nobody uses.
 */
static inline void* room_to_map(size_t length, int flags) {
  if (!(flags & MAP_FIXED)) return NULL;
  long found = syscall(SYS_mmap, NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
  return found == -1 ? NULL : (void*)found;
}
