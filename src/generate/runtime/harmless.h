/* What could do harm beyond the root is not made. */
static inline unsigned long harmless(unsigned long request) {
  char what[40];
  if (is_harmless_request(request)) return request;
  snprintf(what, sizeof what, "ioctl 0x%lx", request);
  refused(what, "is none of the requests that a kernel makes");
  return 0;
}
static inline mode_t no_device(mode_t mode) {
  if (!is_device(mode)) return mode;
  refused("mknod", "devices are not made again");
  return S_IFDIR;
}
/* In place of what is no file, and of a command of fcntl. */
static inline int no_file(void) {
  refused("a call", "changes something that is no file");
  return -1;
}
static inline int no_signals(void) {
  refused("fcntl", "would have signals sent to another process");
  return -1;
}
/* An address in a mapping of this program. */
static inline char* within(const char* map, long long offset, long long length, int unmaps) {
  uintptr_t begin = (uintptr_t)map + (uintptr_t)offset;
  if (is_mapped(begin, (size_t)length, unmaps && !failure_expected)) return (char*)begin;
  refused("memory", "it is not mapped by this program");
  return (char*)1;
}
