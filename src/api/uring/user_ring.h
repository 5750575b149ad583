/* A ring as liburing.h declares it, in C. Its layout is the same since liburing 2.0, because programs fill in
 * entries and read completions by inline functions; prototypes.cpp holds it against the header. Included
 * where liburing.h is not, after <linux/io_uring.h>. */
struct io_uring_sq {
  unsigned* khead;
  unsigned* ktail;
  unsigned* kring_mask;
  unsigned* kring_entries;
  unsigned* kflags;
  unsigned* kdropped;
  unsigned* array;
  struct io_uring_sqe* sqes;
  unsigned sqe_head;
  unsigned sqe_tail;
  size_t ring_sz;
  void* ring_ptr;
  unsigned ring_mask;
  unsigned ring_entries;
  unsigned pad[2];
};

struct io_uring_cq {
  unsigned* khead;
  unsigned* ktail;
  unsigned* kring_mask;
  unsigned* kring_entries;
  unsigned* kflags;
  unsigned* koverflow;
  struct io_uring_cqe* cqes;
  size_t ring_sz;
  void* ring_ptr;
  unsigned ring_mask;
  unsigned ring_entries;
  unsigned pad[2];
};

struct io_uring {
  struct io_uring_sq sq;
  struct io_uring_cq cq;
  unsigned flags;
  int ring_fd;
  unsigned features;
  int enter_ring_fd;
  unsigned char int_flags;
  unsigned char pad[3];
  unsigned pad2;
};
