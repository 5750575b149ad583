// Calls of liburing, and what is submitted through it; the rings are those of src/base/io_ring.h.
#define URING(call) uring_code((START, (call)), #call)
#define URING_IN(call) uring_code((START, uring_in(call)), #call)
#define URING_OUT(call) uring_code((START, uring_out(call)), #call)
#define URING_OPEN(call) (uring_code((START, (call)), #call), -1)
static inline int uring_code(int result, const char* call) {
  if (ended(uring, result < 0)) stop(call, ring_reason(result));
  return result;
}
static inline int uring_in(int bytes) {
  to_read = bytes > 0 ? bytes : 0;
  return bytes;
}
static inline int uring_out(int bytes) {
  to_write = bytes > 0 ? bytes : 0;
  return bytes;
}
/* Rings that the program leaves open when it ends: what is in flight then is waited for. */
static struct ring* begun_rings[64];
static inline void settle_rings(void) {
  quiet(1);
  for (int i = 0; i < 64 && begun_rings[i]; ++i) (void)ring_settle(begun_rings[i]);
  quiet(0);
}
static inline int ring_begin(long long entries, struct ring* r, unsigned flags) {
  int i = 0, result = ring_init(entries, r, flags);
  wall_shared = 1; /* paths are used when entries are submitted, and looked at before */
  if (!begun_rings[0]) atexit(settle_rings);
  while (i < 63 && begun_rings[i] && begun_rings[i] != r) ++i;
  if (result == 0) begun_rings[i] = r;
  return result;
}
