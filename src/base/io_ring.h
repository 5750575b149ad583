/* Rings of io_uring as replays and, as text, kernels use them; hence C that is C++ as well. What a trace says
 * about a ring is not trusted: an entry needs room, a completion that is taken must be on its way, and nobody
 * waits for ever. Memory that entries refer to stays until the system has read it. Before this stands
 * liburing.h, or what declares as much of it.
 *
 * Completions may come in another order than they did when the program was recorded. So all of them are alike
 * but those of files that are being opened, whose descriptors are put where `uring_openat` was told; `seen`
 * may run ahead of what the program has taken to find them. Functions return a negative number when they
 * fail; ring_reason says what it means. */
struct ring_memory {
  struct ring_memory* next;
};
struct ring {
  struct io_uring io;
  int live;
  unsigned queued, quiet;    /* entries that the next submission hands over; of these, without a completion */
  unsigned in_flight;        /* completions to come, and those that came and were not taken */
  unsigned seen;             /* completions that were looked at, as the ring counts them */
  unsigned opening;          /* files that are being opened */
  unsigned failed, may_fail; /* completions that failed, and that did when the program was recorded */
  int error;                 /* of the last that failed */
  int* files;                /* that are registered */
  unsigned file_count;
  struct iovec* buffers;
  unsigned buffer_count;
  struct ring_memory* kept; /* until the next submission */
};
enum {
  ring_patience_seconds = 300,
  ring_is_none = -10001,
  ring_is_full = -10002,
  ring_lacks_completions = -10003,
  ring_is_late = -10004,
  ring_lacks_file = -10005,
  ring_lacks_buffer = -10006,
  ring_takes_too_much = -10007
};
/* Operations that headers may not have yet. */
enum { ring_unlinkat = 36, ring_mkdirat = 37, ring_ftruncate = 55 };
static inline const char* ring_reason(int result) {
  switch (result) {
    case ring_is_none:
      return "there is no such ring";
    case ring_is_full:
      return "the ring is full";
    case ring_lacks_completions:
      return "takes more completions than are in flight";
    case ring_is_late:
      return "completions have not come in time";
    case ring_lacks_file:
      return "no such file is registered with the ring";
    case ring_lacks_buffer:
      return "no such buffer is registered with the ring";
    case ring_takes_too_much:
      return "registers more than a ring can take";
    default:
      return strerror(-result);
  }
}
/* A copy, for the system to read when the entries are submitted. */
static inline void* ring_keep(struct ring* r, const void* from, size_t bytes) {
  struct ring_memory* m = (struct ring_memory*)malloc(sizeof *m + bytes);
  if (!m) return NULL;
  m->next = r->kept;
  r->kept = m;
  return memcpy(m + 1, from, bytes);
}
static inline void ring_forget(struct ring* r) {
  while (r->kept) {
    struct ring_memory* m = r->kept;
    r->kept = m->next;
    free(m);
  }
}
/* Strings and lists that could not be read when the program was recorded lead nowhere. */
static inline int ring_leads_nowhere(const void* memory) { return (uintptr_t)memory < 4096; }
static inline int ring_has_thread(const struct ring* r) { return (r->io.flags & IORING_SETUP_SQPOLL) != 0; }
/* Whether the system has read all entries that were handed over. */
static inline int ring_was_read(const struct ring* r) {
  return __atomic_load_n(r->io.sq.khead, __ATOMIC_ACQUIRE) == r->io.sq.sqe_tail;
}
/* Looks at completions that have come: files that are open now, and failures. */
static inline void ring_look(struct ring* r) {
  unsigned tail = __atomic_load_n(r->io.cq.ktail, __ATOMIC_ACQUIRE);
  unsigned wide = (r->io.flags & 1u << 11) != 0; /* IORING_SETUP_CQE32 */
  for (; r->seen != tail; ++r->seen) {
    const struct io_uring_cqe* c = &r->io.cq.cqes[(r->seen & *r->io.cq.kring_mask) << wide];
    int* opened = (int*)(uintptr_t)c->user_data;
    if (c->res < 0) {
      ++r->failed;
      r->error = c->res;
    }
    if (opened && r->opening) {
      if (*opened == -1) *opened = c->res < 0 ? -1 : c->res; /* unless the slot is another's by now */
      --r->opening;
    }
  }
}
/* Waits until so many completions have come that were not taken. */
static inline int ring_await(struct ring* r, unsigned count) {
  struct __kernel_timespec limit = {ring_patience_seconds, 0};
  for (;;) {
    struct io_uring_cqe* first = NULL;
    ring_look(r);
    if (r->seen - *r->io.cq.khead >= count) return 0;
    if (count > r->in_flight || count > *r->io.cq.kring_entries) return ring_lacks_completions;
    int result = io_uring_wait_cqes(&r->io, &first, count, &limit, NULL);
    if (result == -ETIME) return ring_is_late;
    if (result < 0 && result != -EINTR && result != -EAGAIN) return result;
  }
}
/* The completions of a program that took `completions`, of which `failed` were of failed entries, and that
 * knew the descriptors of `opened` files then. Whether more fail now shows when nothing is in flight. */
static inline int uring_taken(struct ring* r, long long completions, long long opened, long long failed) {
  if (!r->live) return ring_is_none;
  if (completions < 0 || completions > r->in_flight) return ring_lacks_completions;
  for (; opened > 0 && r->opening;) {
    int result = ring_await(r, r->seen - *r->io.cq.khead + 1);
    if (result < 0) return result;
  }
  for (; completions > 0; --completions, --r->in_flight) {
    int result = ring_await(r, 1);
    if (result < 0) return result;
    __atomic_store_n(r->io.cq.khead, *r->io.cq.khead + 1, __ATOMIC_RELEASE);
  }
  r->may_fail += (unsigned)failed;
  return r->in_flight == 0 && r->failed > r->may_fail ? r->error : 0;
}
/* What depends on the program's memory, on other rings or on calls that are not repeated is left out. */
static inline int ring_init(long long entries, struct ring* r, unsigned flags) {
  const unsigned sq_affinity = 1u << 2, completions_size = 1u << 3, attached = 1u << 5, disabled = 1u << 6,
                 memory = 7u << 14;
  memset(r, 0, sizeof *r);
  if (entries < 0 || entries > 1 << 16) return -EINVAL;
  int result = io_uring_queue_init((unsigned)entries, &r->io,
                                   flags & ~(sq_affinity | completions_size | attached | disabled | memory));
  r->live = result == 0;
  return result;
}
/* Waits for what is in flight, so that no data is lost, and takes nothing. */
static inline int ring_settle(struct ring* r) {
  unsigned room = r->live ? *r->io.cq.kring_entries : 0;
  return r->live ? ring_await(r, r->in_flight < room ? r->in_flight : room) : 0;
}
static inline void ring_free_buffers(struct ring* r) {
  for (unsigned i = 0; i < r->buffer_count; ++i) free(r->buffers[i].iov_base);
  free(r->buffers);
  r->buffers = NULL;
  r->buffer_count = 0;
}
static inline void ring_free_files(struct ring* r) {
  free(r->files);
  r->files = NULL;
  r->file_count = 0;
}
static inline int ring_exit(struct ring* r) {
  if (!r->live) return ring_is_none;
  if (ring_settle(r) == ring_is_late) return ring_is_late;
  io_uring_queue_exit(&r->io);
  r->live = 0;
  ring_forget(r);
  ring_free_files(r);
  ring_free_buffers(r);
  return 0;
}
/* Hands over the entries, and waits for so many completions in all, if so many can come. */
static inline int ring_submit(struct ring* r, long long completions) {
  if (!r->live) return ring_is_none;
  struct __kernel_timespec limit = {ring_patience_seconds, 0};
  struct io_uring_cqe* first = NULL;
  unsigned before = r->queued, quiet = r->quiet < before ? r->quiet : before;
  int waits = completions > 0 && completions <= (long long)r->in_flight + before - quiet;
  int result = waits ? io_uring_submit_and_wait_timeout(&r->io, &first, (unsigned)completions, &limit, NULL)
                     : io_uring_submit(&r->io);
  if (result == -ETIME) return ring_is_late;
  if (result < 0) return result;
  unsigned left =
      ring_has_thread(r) ? 0 : r->io.sq.sqe_tail - __atomic_load_n(r->io.sq.khead, __ATOMIC_ACQUIRE);
  r->queued = left < before ? left : before;
  r->in_flight += before - r->queued - (left ? 0 : quiet);
  if (!left) r->quiet = 0;
  if (ring_was_read(r)) ring_forget(r);
  return result;
}
/* A free entry; null if the ring is full. Where a thread of the system reads entries, it may be about to. */
static inline struct io_uring_sqe* ring_entry(struct ring* r, unsigned opcode, int fd, unsigned flags) {
  const unsigned wide = (r->io.flags & 1u << 10) != 0; /* IORING_SETUP_SQE128 */
  struct timespec nap = {0, 50000};
  for (int tries = 0;
       r->io.sq.sqe_tail - __atomic_load_n(r->io.sq.khead, __ATOMIC_ACQUIRE) >= *r->io.sq.kring_entries;
       ++tries) {
    if (!ring_has_thread(r) || r->queued >= *r->io.sq.kring_entries || tries > 200000) return NULL;
    nanosleep(&nap, NULL);
  }
  struct io_uring_sqe* e = &r->io.sq.sqes[(r->io.sq.sqe_tail & *r->io.sq.kring_mask) << wide];
  memset(e, 0, sizeof *e << wide);
  e->opcode = (__u8)opcode;
  e->flags = (__u8)(flags & ~(1u << 5)); /* IOSQE_BUFFER_SELECT: the program's memory */
  e->fd = fd;
  r->io.sq.sqe_tail += 1;
  r->queued += 1;
  r->quiet += (flags & 1u << 6) != 0; /* IOSQE_CQE_SKIP_SUCCESS */
  return e;
}
/* Where a registered file stands in the table. Descriptors below -1 are places, as in a trace whose program
 * has closed the descriptor meanwhile. */
#define REGISTERED(place) (-2 - (int)(place))
static inline int ring_file(const struct ring* r, int* fd, unsigned flags) {
  if (!r->live) return ring_is_none;
  if (!(flags & IOSQE_FIXED_FILE)) return *fd < -1 ? ring_lacks_file : 0;
  unsigned place = *fd < -1 ? (unsigned)(-2 - *fd) : 0;
  while (*fd >= 0 && place < r->file_count && r->files[place] != *fd) ++place;
  if (place >= r->file_count) return ring_lacks_file;
  *fd = (int)place;
  return 0;
}
/* An entry about an open file. */
static inline int ring_put(struct ring* r, unsigned opcode, int fd, unsigned flags,
                           struct io_uring_sqe** entry) {
  int result = ring_file(r, &fd, flags);
  if (result < 0) return result;
  *entry = ring_entry(r, opcode, fd, flags);
  return *entry ? 0 : ring_is_full;
}
static inline int ring_move(struct ring* r, unsigned opcode, int fd, const void* memory, long long size,
                            long long offset, unsigned flags, int rw_flags) {
  struct io_uring_sqe* e = NULL;
  if (size < 0 || size > INT_MAX) return -EINVAL;
  int result = ring_put(r, opcode, fd, flags, &e);
  if (result < 0) return result;
  e->addr = (uintptr_t)memory;
  e->len = (__u32)size;
  e->off = (__u64)offset;
  e->rw_flags = rw_flags;
  return (int)size;
}
static inline int uring_read(struct ring* r, int fd, void* memory, long long size, long long offset,
                             unsigned flags, int rw_flags) {
  return ring_move(r, IORING_OP_READ, fd, memory, size, offset, flags, rw_flags);
}
static inline int uring_write(struct ring* r, int fd, const void* memory, long long size, long long offset,
                              unsigned flags, int rw_flags) {
  return ring_move(r, IORING_OP_WRITE, fd, memory, size, offset, flags, rw_flags);
}
static inline int ring_move_vector(struct ring* r, unsigned opcode, int fd, const struct iovec* vector,
                                   long long count, long long offset, unsigned flags, int rw_flags) {
  long long bytes = 0;
  if (!r->live) return ring_is_none;
  if (count < 0 || count > 1024) return -EINVAL;
  if (ring_leads_nowhere(vector)) return -EFAULT;
  for (long long i = 0; i < count; ++i) bytes += (long long)vector[i].iov_len;
  const void* copy = ring_keep(r, vector, (size_t)count * sizeof *vector);
  if (!copy) return -ENOMEM;
  int result = ring_move(r, opcode, fd, copy, count, offset, flags, rw_flags);
  return result < 0 ? result : bytes > INT_MAX ? INT_MAX : (int)bytes;
}
static inline int uring_readv(struct ring* r, int fd, const struct iovec* vector, long long count,
                              long long offset, unsigned flags, int rw_flags) {
  return ring_move_vector(r, IORING_OP_READV, fd, vector, count, offset, flags, rw_flags);
}
static inline int uring_writev(struct ring* r, int fd, const struct iovec* vector, long long count,
                               long long offset, unsigned flags, int rw_flags) {
  return ring_move_vector(r, IORING_OP_WRITEV, fd, vector, count, offset, flags, rw_flags);
}
static inline int ring_move_fixed(struct ring* r, unsigned opcode, int fd, long long buffer, long long size,
                                  long long offset, unsigned flags, int rw_flags) {
  if (!r->live) return ring_is_none;
  if (buffer < 0 || buffer >= r->buffer_count) return ring_lacks_buffer;
  int result = ring_move(r, opcode, fd, r->buffers[buffer].iov_base, size, offset, flags, rw_flags);
  if (result >= 0)
    r->io.sq.sqes[((r->io.sq.sqe_tail - 1) & *r->io.sq.kring_mask) << ((r->io.flags & 1u << 10) != 0)]
        .buf_index = (__u16)buffer;
  return result;
}
static inline int uring_read_fixed(struct ring* r, int fd, long long buffer, long long size, long long offset,
                                   unsigned flags, int rw_flags) {
  return ring_move_fixed(r, IORING_OP_READ_FIXED, fd, buffer, size, offset, flags, rw_flags);
}
static inline int uring_write_fixed(struct ring* r, int fd, long long buffer, long long size,
                                    long long offset, unsigned flags, int rw_flags) {
  return ring_move_fixed(r, IORING_OP_WRITE_FIXED, fd, buffer, size, offset, flags, rw_flags);
}
static inline int uring_fsync(struct ring* r, int fd, unsigned how, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_put(r, IORING_OP_FSYNC, fd, flags, &e);
  if (result == 0) e->fsync_flags = how;
  return result;
}
static inline int uring_sync_file_range(struct ring* r, int fd, long long offset, long long length,
                                        unsigned how, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_put(r, IORING_OP_SYNC_FILE_RANGE, fd, flags, &e);
  if (result < 0) return result;
  e->off = (__u64)offset;
  e->len = (__u32)length;
  e->sync_range_flags = how;
  return 0;
}
static inline int uring_fallocate(struct ring* r, int fd, int mode, long long offset, long long length,
                                  unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_put(r, IORING_OP_FALLOCATE, fd, flags, &e);
  if (result < 0) return result;
  e->off = (__u64)offset;
  e->addr = (__u64)length;
  e->len = (__u32)mode;
  return 0;
}
static inline int uring_ftruncate(struct ring* r, int fd, long long length, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_put(r, ring_ftruncate, fd, flags, &e);
  if (result == 0) e->off = (__u64)length;
  return result;
}
static inline int uring_fadvise(struct ring* r, int fd, long long offset, long long length, unsigned advice,
                                unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_put(r, IORING_OP_FADVISE, fd, flags, &e);
  if (result < 0) return result;
  e->off = (__u64)offset;
  e->len = (__u32)length;
  e->fadvise_advice = advice;
  return 0;
}
static inline int uring_close(struct ring* r, int fd, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  return ring_put(r, IORING_OP_CLOSE, fd, flags & ~(unsigned)IOSQE_FIXED_FILE, &e);
}
/* An entry with a path, below a folder. */
static inline int ring_name(struct ring* r, unsigned opcode, int folder, const char* path, unsigned flags,
                            struct io_uring_sqe** entry) {
  if (!r->live) return ring_is_none;
  if (ring_leads_nowhere(path)) return -EFAULT;
  const void* copy = ring_keep(r, path, strlen(path) + 1);
  if (!copy) return -ENOMEM;
  *entry = ring_entry(r, opcode, folder, flags & ~(unsigned)IOSQE_FIXED_FILE);
  if (!*entry) return ring_is_full;
  (*entry)->addr = (uintptr_t)copy;
  return 0;
}
/* `opened` is where the descriptor goes when the file is open; -1 until then, and if it can't be opened. */
static inline int uring_openat(struct ring* r, int* opened, int folder, const char* path, int how,
                               unsigned mode, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_name(r, IORING_OP_OPENAT, folder, path, flags & ~(1u << 6), &e);
  *opened = -1;
  if (result < 0) return result;
  e->len = mode;
  e->open_flags = (__u32)how;
  e->user_data = (uintptr_t)opened;
  ++r->opening;
  return 0;
}
static inline int uring_statx(struct ring* r, int folder, const char* path, int how, unsigned mask,
                              unsigned flags) {
  static struct statx unread;
  struct io_uring_sqe* e = NULL;
  int result = ring_name(r, IORING_OP_STATX, folder, path, flags, &e);
  if (result < 0) return result;
  e->len = mask;
  e->off = (uintptr_t)&unread;
  e->statx_flags = (__u32)how;
  return 0;
}
static inline int uring_unlinkat(struct ring* r, int folder, const char* path, int how, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_name(r, ring_unlinkat, folder, path, flags, &e);
  if (result == 0) e->open_flags = (__u32)how;
  return result;
}
static inline int uring_mkdirat(struct ring* r, int folder, const char* path, unsigned mode, unsigned flags) {
  struct io_uring_sqe* e = NULL;
  int result = ring_name(r, ring_mkdirat, folder, path, flags, &e);
  if (result == 0) e->len = mode;
  return result;
}
static inline int uring_nop(struct ring* r, unsigned flags) {
  if (!r->live) return ring_is_none;
  return ring_entry(r, IORING_OP_NOP, -1, flags & ~(unsigned)IOSQE_FIXED_FILE) ? 0 : ring_is_full;
}
/* What is not repeated completes as well: an entry that does nothing is submitted in its place. The system
 * doesn't look at its length, but a recorder does, and sees what it stands for. */
#define RING_STANDS_FOR 0x52460000u
static inline int uring_other(struct ring* r, int operation, unsigned flags) {
  if (!r->live) return ring_is_none;
  struct io_uring_sqe* e = ring_entry(r, IORING_OP_NOP, -1, flags & ~(unsigned)IOSQE_FIXED_FILE);
  if (!e) return ring_is_full;
  e->len = RING_STANDS_FOR | ((unsigned)operation & 0xff);
  return 0;
}
/* Makes the table of registered files longer, with nothing in it yet. */
static inline int ring_need_files(struct ring* r, long long count) {
  if (!r->live) return ring_is_none;
  if (count < 0 || count > 1 << 15) return ring_takes_too_much;
  int* files = (int*)realloc(r->files, ((size_t)count + 1) * sizeof *files);
  if (!files) return -ENOMEM;
  for (; r->file_count < count; ++r->file_count) files[r->file_count] = -1;
  r->files = files;
  return 0;
}
static inline int ring_register_files(struct ring* r, const int* files, long long count) {
  int result = r->file_count ? -EBUSY : ring_need_files(r, count);
  if (result == 0) {
    memcpy(r->files, files, (size_t)count * sizeof *files);
    result = io_uring_register_files(&r->io, files, (unsigned)count);
    if (result < 0) ring_free_files(r);
  }
  return result;
}
static inline int ring_register_no_files(struct ring* r, long long count) {
  int result = r->file_count ? -EBUSY : ring_need_files(r, count);
  if (result == 0) {
    result = io_uring_register_files_sparse(&r->io, (unsigned)count);
    if (result < 0) ring_free_files(r);
  }
  return result;
}
static inline int ring_update_files(struct ring* r, long long first, const int* files, long long count) {
  if (!r->live) return ring_is_none;
  if (first < 0 || count < 0 || first > r->file_count || count > r->file_count - first)
    return ring_lacks_file;
  int result = io_uring_register_files_update(&r->io, (unsigned)first, files, (unsigned)count);
  if (result > 0) memcpy(r->files + first, files, (size_t)count * sizeof *files);
  return result;
}
static inline int ring_unregister_files(struct ring* r) {
  if (!r->live) return ring_is_none;
  ring_free_files(r);
  return io_uring_unregister_files(&r->io);
}
/* Registers memory of the ring's own, filled like `vector`. */
static inline int ring_register_buffers(struct ring* r, const struct iovec* vector, long long count) {
  if (!r->live) return ring_is_none;
  if (r->buffer_count) return -EBUSY;
  if (count < 0 || count > 1024) return ring_takes_too_much;
  if (ring_leads_nowhere(vector)) return -EFAULT;
  r->buffers = (struct iovec*)calloc((size_t)count + 1, sizeof *r->buffers);
  if (!r->buffers) return -ENOMEM;
  for (long long i = 0; i < count; ++i, ++r->buffer_count) {
    size_t size = vector[i].iov_len;
    void* memory = size > (size_t)1 << 32 ? NULL : aligned_alloc(4096, (size + 4096) / 4096 * 4096);
    if (!memory) return ring_free_buffers(r), -ENOMEM;
    memcpy(memory, vector[i].iov_base, size);
    r->buffers[i].iov_base = memory;
    r->buffers[i].iov_len = size;
  }
  int result = io_uring_register_buffers(&r->io, r->buffers, (unsigned)count);
  if (result < 0) ring_free_buffers(r);
  return result;
}
static inline int ring_unregister_buffers(struct ring* r) {
  if (!r->live) return ring_is_none;
  int result = io_uring_unregister_buffers(&r->io);
  if (result == 0) ring_free_buffers(r);
  return result;
}
