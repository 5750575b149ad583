/* Makes a netCDF file of a classic format, without data, of what the trace holds of one that was opened: the
 * numbers and names that src/record/netcdf_header.cpp lists. Used by replays and, as text, by kernels; hence
 * C that is C++ as well. No library is needed for it, nor MPI, which may not run yet. Numbers and names are
 * not trusted. */
struct ClassicNetcdf {
  const long long *numbers, *end; /* that are left */
  const char* names;              /* likewise */
  unsigned char* at;              /* the header, so far; grows */
  size_t length, room;
  int version, broken;
  long long dimensions, lengths[1024];
  long long grow;         /* number of variables over the dimension without limit */
  long long next[2];      /* where a variable of unknown offset begins: of fixed size, and of records */
  long long record_bytes; /* of all variables */
  long long last_byte;    /* of the file */
};
static inline long long classic_next(struct ClassicNetcdf* f) {
  if (f->numbers == f->end) f->broken = 1;
  return f->broken ? 0 : *f->numbers++;
}
static inline void classic_byte(struct ClassicNetcdf* f, int byte) {
  if (f->length == f->room) {
    size_t room = f->room ? f->room * 2 : 4096;
    void* more = room > (size_t)1 << 28 ? NULL : realloc(f->at, room);
    if (!more) f->broken = 1;
    if (f->broken) return;
    f->at = (unsigned char*)more;
    f->room = room;
  }
  f->at[f->length++] = (unsigned char)byte;
}
static inline void classic_number(struct ClassicNetcdf* f, long long number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) classic_byte(f, (int)((unsigned long long)number >> 8 * i & 255));
}
/* Lengths and counts are wider in the format for large data. */
static inline void classic_count(struct ClassicNetcdf* f, long long number) {
  classic_number(f, number, f->version == 5 ? 8 : 4);
}
static inline void classic_pad(struct ClassicNetcdf* f) {
  while (f->length % 4 && !f->broken) classic_byte(f, 0);
}
static inline void classic_name(struct ClassicNetcdf* f) {
  size_t length = strcspn(f->names, "/");
  classic_count(f, (long long)length);
  for (size_t i = 0; i < length; ++i) classic_byte(f, f->names[i]);
  classic_pad(f);
  f->names += length + (f->names[length] == '/');
}
static inline long long classic_type_bytes(long long type) {
  static const int bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return type > 0 && type < 12 ? bytes[type] : 0;
}
static inline void classic_list(struct ClassicNetcdf* f, int tag, long long count) {
  classic_number(f, count ? tag : 0, 4);
  classic_count(f, count);
}
static inline void classic_attributes(struct ClassicNetcdf* f, long long count) {
  classic_list(f, 0x0c, count);
  for (long long i = 0; i < count && !f->broken; ++i) {
    long long type = classic_next(f), length = classic_next(f), bytes = classic_type_bytes(type);
    classic_name(f);
    classic_number(f, type, 4);
    classic_count(f, length);
    if (bytes == 0 || length < 0 || length > 1 << 24) f->broken = 1;
    for (long long k = 0; k < length * bytes && !f->broken; ++k) classic_byte(f, type == 2 ? 'x' : 0);
    classic_pad(f);
  }
}
/* Where its data begins: in the trace, or where the library puts it unless it is asked for alignment.
 * `alone`: no other variable grows, so that its records are not padded. */
static inline void classic_variable(struct ClassicNetcdf* f, long long records, int alone) {
  long long type = classic_next(f), count = classic_next(f), bytes = classic_type_bytes(type), growing = 0;
  classic_name(f);
  classic_count(f, count);
  if (bytes == 0 || count < 0 || count > 1024) f->broken = 1;
  for (long long k = 0; k < count && !f->broken; ++k) {
    long long d = classic_next(f);
    if (d < 0 || d >= f->dimensions) f->broken = 1;
    if (f->broken) return;
    classic_count(f, d);
    growing |= f->lengths[d] == 0 && k == 0;
    if (f->lengths[d] != 0 && __builtin_mul_overflow(bytes, f->lengths[d], &bytes)) f->broken = 1;
  }
  long long begin = classic_next(f), attributes = classic_next(f);
  classic_attributes(f, attributes);
  if (bytes > 1LL << 50 || begin > 1LL << 50) f->broken = 1;
  if (f->broken) return;
  long long padded = (bytes + 3) / 4 * 4, used = growing && alone ? bytes : padded;
  if (begin < 0) {
    begin = f->next[growing];
    if (__builtin_add_overflow(begin, padded, &f->next[growing]) || f->next[growing] > 1LL << 60)
      f->broken = 1;
  }
  classic_number(f, type, 4);
  classic_count(f, f->version != 5 && padded > 0xfffffffcLL ? 0xffffffffLL : padded);
  classic_number(f, begin, f->version == 1 ? 4 : 8);
  f->grow += growing;
  if (growing) f->record_bytes += used;
  long long end = begin + (growing && records == 0 ? 0 : used);
  if (end > f->last_byte) f->last_byte = end;
}
static inline void classic_header(struct ClassicNetcdf* f, int alone) {
  long long format = classic_next(f), records = classic_next(f);
  f->version = (int)format;
  f->dimensions = classic_next(f);
  if ((format != 1 && format != 2 && format != 5) || records < 0 || records > 1LL << 40) f->broken = 1;
  if (f->dimensions < 0 || f->dimensions > 1024) f->broken = 1;
  if (f->broken) return;
  for (const char* c = "CDF"; *c; ++c) classic_byte(f, *c);
  classic_byte(f, f->version);
  classic_count(f, records);
  classic_list(f, 0x0a, f->dimensions);
  for (long long d = 0; d < f->dimensions && !f->broken; ++d) {
    f->lengths[d] = classic_next(f);
    classic_name(f);
    classic_count(f, f->lengths[d]);
    if (f->lengths[d] < 0) f->broken = 1;
  }
  long long attributes = classic_next(f), variables = classic_next(f);
  classic_attributes(f, attributes);
  classic_list(f, 0x0b, variables);
  for (long long v = 0; v < variables && !f->broken; ++v) classic_variable(f, records, alone);
  if (records > 1 && !f->broken) {
    long long more;
    if (__builtin_mul_overflow(f->record_bytes, records - 1, &more) || more > 1LL << 50) f->broken = 1;
    if (!f->broken) f->last_byte += more;
  }
  if (f->last_byte < (long long)f->length) f->last_byte = (long long)f->length;
}
/* Variables of fixed size lie behind the header, and those that grow behind them. How long the header is, and
 * the first group, is known when the header was put together once. */
static inline void classic_layout(struct ClassicNetcdf* f) {
  struct ClassicNetcdf first = *f;
  classic_header(&first, 0);
  f->at = first.at;
  f->room = first.room;
  f->broken = first.broken;
  f->next[0] = (long long)first.length;
  f->next[1] = f->next[0] + first.next[0];
  if (!f->broken) classic_header(f, first.grow == 1);
}
/* 0, or what is wrong. A file that is there stays. */
static inline const char* make_classic_netcdf(const char* path, const long long* numbers, long long count,
                                              const char* names) {
  struct ClassicNetcdf f;
  memset(&f, 0, sizeof f);
  f.numbers = numbers;
  f.end = numbers + count;
  f.names = names;
  if (access(path, F_OK) == 0) return NULL;
  classic_layout(&f);
  const char* wrong = f.broken ? "what is known of it can't be made a netCDF file" : NULL;
  FILE* file = wrong ? NULL : fopen(path, "w");
  if (!wrong && !file) wrong = strerror(errno);
  if (file) {
    if (fwrite(f.at, 1, f.length, file) != f.length || fflush(file) != 0 ||
        ftruncate(fileno(file), (off_t)f.last_byte) != 0)
      wrong = strerror(errno);
    fclose(file);
  }
  free(f.at);
  return wrong;
}
