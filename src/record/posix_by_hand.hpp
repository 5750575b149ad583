// Entries of layer posix that move data and whose prototypes differ from their rows. For the recorder and for
// the gate: included inside the namespace whose `intercept` they call.

// Fortified reads: the last argument is the size of the buffer as the compiler knows it.
#define RF_CHECKED(symbol, row, type, declarations, names)                                                   \
  RF_REAL(symbol, type declarations)                                                                         \
  RF_HOOK type hook_##symbol declarations RF_SYMBOL(symbol);                                                 \
  type hook_##symbol declarations {                                                                          \
    return intercept<RowId::posix_##row>([room](auto... a) { return real_##symbol()(a..., room); }, RF_SITE, \
                                         RF_FRAME, RF_EXPAND1 names);                                        \
  }
RF_CHECKED(__read_chk, read, ssize_t, (int fd, void* buffer, size_t count, size_t room), (fd, buffer, count))
RF_CHECKED(__pread_chk, pread, ssize_t, (int fd, void* buffer, size_t count, off_t offset, size_t room),
           (fd, buffer, count, offset))
RF_CHECKED(__pread64_chk, pread, ssize_t, (int fd, void* buffer, size_t count, off_t offset, size_t room),
           (fd, buffer, count, offset))

// dprintf and its variants all come down to vdprintf, or to its checked form.
RF_REAL(vdprintf, int(int, const char*, va_list))
RF_REAL(__vdprintf_chk, int(int, int, const char*, va_list))
RF_HOOK int hook_vdprintf(int fd, const char* format, va_list rest) RF_SYMBOL(vdprintf);
int hook_vdprintf(int fd, const char* format, va_list rest) {
  return intercept<RowId::posix_dprintf>(
      [&](int f, const char* text) { return real_vdprintf()(f, text, rest); }, RF_SITE, RF_FRAME, fd, format);
}
RF_HOOK int hook___vdprintf_chk(int fd, int flag, const char* format, va_list rest) RF_SYMBOL(__vdprintf_chk);
int hook___vdprintf_chk(int fd, int flag, const char* format, va_list rest) {
  return intercept<RowId::posix_dprintf>(
      [&](int f, const char* text) { return real___vdprintf_chk()(f, flag, text, rest); }, RF_SITE, RF_FRAME,
      fd, format);
}
RF_HOOK int hook_dprintf(int fd, const char* format, ...) RF_SYMBOL(dprintf);
int hook_dprintf(int fd, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  int result = intercept<RowId::posix_dprintf>(
      [&](int f, const char* text) { return real_vdprintf()(f, text, rest); }, RF_SITE, RF_FRAME, fd, format);
  va_end(rest);
  return result;
}
RF_HOOK int hook___dprintf_chk(int fd, int flag, const char* format, ...) RF_SYMBOL(__dprintf_chk);
int hook___dprintf_chk(int fd, int flag, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  int result = intercept<RowId::posix_dprintf>(
      [&](int f, const char* text) { return real___vdprintf_chk()(f, flag, text, rest); }, RF_SITE, RF_FRAME,
      fd, format);
  va_end(rest);
  return result;
}

// Asynchronous requests carry their arguments in a block.
#define RF_REQUEST(name)                                                                                  \
  RF_REAL(name, int(struct aiocb*))                                                                       \
  RF_HOOK int hook_##name(struct aiocb* request) RF_SYMBOL(name);                                         \
  int hook_##name(struct aiocb* request) {                                                                \
    return intercept<RowId::posix_##name>(                                                                \
        [](struct aiocb* r, int, size_t, off_t) { return real_##name()(r); }, RF_SITE, RF_FRAME, request, \
        request->aio_fildes, request->aio_nbytes, request->aio_offset);                                   \
  }
RF_REQUEST(aio_read)
RF_REQUEST(aio_write)
