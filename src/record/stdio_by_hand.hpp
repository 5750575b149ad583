// Entries of layer stdio whose prototypes differ from their rows: fortified and formatted functions, and
// those on the standard streams. For the recorder and for the gate: included inside the namespace whose
// `intercept` they call.

// Fortified reads: `room` is the size of the buffer as the compiler knows it.
#define RF_CHECKED_FREAD(symbol)                                                                             \
  RF_REAL(symbol, size_t(void*, size_t, size_t, size_t, FILE*))                                              \
  RF_HOOK size_t hook_##symbol(void* buffer, size_t room, size_t size, size_t count, FILE* stream)           \
      RF_SYMBOL(symbol);                                                                                     \
  size_t hook_##symbol(void* buffer, size_t room, size_t size, size_t count, FILE* stream) {                 \
    return intercept<RowId::stdio_fread>(                                                                    \
        [room](void* b, size_t s, size_t n, FILE* f) { return real_##symbol()(b, room, s, n, f); }, RF_SITE, \
        RF_FRAME, buffer, size, count, stream);                                                              \
  }
RF_CHECKED_FREAD(__fread_chk)
RF_CHECKED_FREAD(__fread_unlocked_chk)
#define RF_CHECKED_FGETS(symbol)                                                                       \
  RF_REAL(symbol, char*(char*, size_t, int, FILE*))                                                    \
  RF_HOOK char* hook_##symbol(char* buffer, size_t room, int size, FILE* stream) RF_SYMBOL(symbol);    \
  char* hook_##symbol(char* buffer, size_t room, int size, FILE* stream) {                             \
    return intercept<RowId::stdio_fgets>(                                                              \
        [room](char* b, int n, FILE* f) { return real_##symbol()(b, room, n, f); }, RF_SITE, RF_FRAME, \
        buffer, size, stream);                                                                         \
  }
RF_CHECKED_FGETS(__fgets_chk)
RF_CHECKED_FGETS(__fgets_unlocked_chk)

// Functions on the standard streams name their stream in the trace.
RF_REAL(getchar, int())
RF_HOOK int hook_getchar() RF_SYMBOL(getchar);
int hook_getchar() {
  return intercept<RowId::stdio_getchar>([](FILE*) { return real_getchar()(); }, RF_SITE, RF_FRAME, stdin);
}
RF_REAL(putchar, int(int))
RF_HOOK int hook_putchar(int c) RF_SYMBOL(putchar);
int hook_putchar(int c) {
  return intercept<RowId::stdio_putchar>([](int character, FILE*) { return real_putchar()(character); },
                                         RF_SITE, RF_FRAME, c, stdout);
}
RF_REAL(puts, int(const char*))
RF_HOOK int hook_puts(const char* text) RF_SYMBOL(puts);
int hook_puts(const char* text) {
  return intercept<RowId::stdio_puts>([](const char* t, FILE*) { return real_puts()(t); }, RF_SITE, RF_FRAME,
                                      text, stdout);
}

// Formatted output comes down to vfprintf or its checked form, formatted input to vfscanf.
RF_REAL(vfprintf, int(FILE*, const char*, va_list))
RF_REAL(__vfprintf_chk, int(FILE*, int, const char*, va_list))
RF_REAL(vfscanf, int(FILE*, const char*, va_list))
RF_REAL(__isoc99_vfscanf, int(FILE*, const char*, va_list))
#if __GLIBC_PREREQ(2, 38)
RF_REAL(__isoc23_vfscanf, int(FILE*, const char*, va_list))
#else
RF_LIBRARY_REAL(__isoc23_vfscanf,
                int(FILE*, const char*, va_list))  // a program may have been built elsewhere
#endif

#define RF_FORMATTED(row, call)                                                                              \
  intercept<RowId::stdio_##row>([&](FILE* stream_, const char*) { return call; }, RF_SITE, RF_FRAME, stream, \
                                format)

// With the rest of the arguments as a list.
#define RF_LISTED(symbol, row, declarations, stream_from, call) \
  RF_HOOK int hook_##symbol declarations RF_SYMBOL(symbol);     \
  int hook_##symbol declarations {                              \
    stream_from;                                                \
    return RF_FORMATTED(row, call);                             \
  }
#define RF_GIVEN_STREAM (void)stream
#define RF_STDOUT FILE* stream = stdout
#define RF_STDIN FILE* stream = stdin
RF_LISTED(vfprintf, fprintf, (FILE * stream, const char* format, va_list rest), RF_GIVEN_STREAM,
          real_vfprintf()(stream_, format, rest))
RF_LISTED(vprintf, fprintf, (const char* format, va_list rest), RF_STDOUT,
          real_vfprintf()(stream_, format, rest))
RF_LISTED(__vfprintf_chk, fprintf, (FILE * stream, int flag, const char* format, va_list rest),
          RF_GIVEN_STREAM, real___vfprintf_chk()(stream_, flag, format, rest))
RF_LISTED(__vprintf_chk, fprintf, (int flag, const char* format, va_list rest), RF_STDOUT,
          real___vfprintf_chk()(stream_, flag, format, rest))
RF_LISTED(vfscanf, fscanf, (FILE * stream, const char* format, va_list rest), RF_GIVEN_STREAM,
          real_vfscanf()(stream_, format, rest))
RF_LISTED(vscanf, fscanf, (const char* format, va_list rest), RF_STDIN, real_vfscanf()(stream_, format, rest))
RF_LISTED(__isoc99_vfscanf, fscanf, (FILE * stream, const char* format, va_list rest), RF_GIVEN_STREAM,
          real___isoc99_vfscanf()(stream_, format, rest))
RF_LISTED(__isoc23_vfscanf, fscanf, (FILE * stream, const char* format, va_list rest), RF_GIVEN_STREAM,
          real___isoc23_vfscanf()(stream_, format, rest))
RF_LISTED(__isoc99_vscanf, fscanf, (const char* format, va_list rest), RF_STDIN,
          real___isoc99_vfscanf()(stream_, format, rest))
RF_LISTED(__isoc23_vscanf, fscanf, (const char* format, va_list rest), RF_STDIN,
          real___isoc23_vfscanf()(stream_, format, rest))

// With the rest of the arguments behind the format.
#define RF_VARIADIC(symbol, row, declarations, stream_from, call) \
  RF_HOOK int hook_##symbol declarations RF_SYMBOL(symbol);       \
  int hook_##symbol declarations {                                \
    stream_from;                                                  \
    va_list rest;                                                 \
    va_start(rest, format);                                       \
    int result = RF_FORMATTED(row, call);                         \
    va_end(rest);                                                 \
    return result;                                                \
  }
RF_VARIADIC(fprintf, fprintf, (FILE * stream, const char* format, ...), RF_GIVEN_STREAM,
            real_vfprintf()(stream_, format, rest))
RF_VARIADIC(printf, fprintf, (const char* format, ...), RF_STDOUT, real_vfprintf()(stream_, format, rest))
RF_VARIADIC(__fprintf_chk, fprintf, (FILE * stream, int flag, const char* format, ...), RF_GIVEN_STREAM,
            real___vfprintf_chk()(stream_, flag, format, rest))
RF_VARIADIC(__printf_chk, fprintf, (int flag, const char* format, ...), RF_STDOUT,
            real___vfprintf_chk()(stream_, flag, format, rest))
RF_VARIADIC(fscanf, fscanf, (FILE * stream, const char* format, ...), RF_GIVEN_STREAM,
            real_vfscanf()(stream_, format, rest))
RF_VARIADIC(scanf, fscanf, (const char* format, ...), RF_STDIN, real_vfscanf()(stream_, format, rest))
RF_VARIADIC(__isoc99_fscanf, fscanf, (FILE * stream, const char* format, ...), RF_GIVEN_STREAM,
            real___isoc99_vfscanf()(stream_, format, rest))
RF_VARIADIC(__isoc23_fscanf, fscanf, (FILE * stream, const char* format, ...), RF_GIVEN_STREAM,
            real___isoc23_vfscanf()(stream_, format, rest))
RF_VARIADIC(__isoc99_scanf, fscanf, (const char* format, ...), RF_STDIN,
            real___isoc99_vfscanf()(stream_, format, rest))
RF_VARIADIC(__isoc23_scanf, fscanf, (const char* format, ...), RF_STDIN,
            real___isoc23_vfscanf()(stream_, format, rest))
