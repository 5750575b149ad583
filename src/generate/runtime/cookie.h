/* Stands for a stream of the recorded program's own functions: what is read is made up, line by line and
 * without end; what is written goes nowhere. */
struct cookie {
  off64_t at, end;
};
static inline ssize_t cookie_read(void* cookie, char* to, size_t n) {
  struct cookie* c = cookie;
  for (size_t i = 0; i < n; ++i, ++c->at) to[i] = (char)(c->at % 64 == 63 ? '\n' : 'a' + c->at % 23);
  return (ssize_t)n;
}
static inline ssize_t cookie_write(void* cookie, const char* from, size_t n) {
  struct cookie* c = cookie;
  (void)from;
  c->at += (off64_t)n;
  if (c->at > c->end) c->end = c->at;
  return (ssize_t)n;
}
static inline int cookie_seek(void* cookie, off64_t* offset, int whence) {
  struct cookie* c = cookie;
  c->at = *offset + (whence == SEEK_CUR ? c->at : whence == SEEK_END ? c->end : 0);
  if (c->at < 0) c->at = 0;
  *offset = c->at;
  return 0;
}
static inline int cookie_close(void* cookie) { return free(cookie), 0; }
static const cookie_io_functions_t cookie_functions = {cookie_read, cookie_write, cookie_seek, cookie_close};
static inline void* new_cookie(void) {
  void* cookie = calloc(1, sizeof(struct cookie));
  if (!cookie) stop("memory for a stream", strerror(ENOMEM));
  return cookie;
}
