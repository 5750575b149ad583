// Calls of PnetCDF and netCDF: checking them, and memory for their elements.
#include <pnetcdf.h>  // NCMPI pnetcdf_code
#define NCMPI(call) pnetcdf_code((START, (call)), #call)
static inline void pnetcdf_code(int result, const char* call) {
  if (ended(pnetcdf, result != NC_NOERR)) stop(call, ncmpi_strerror(result));
}
/* Numbers that are small in whatever type they are taken for: libraries convert them to that of the variable,
 * and report those that don't fit. */
static inline void* small_numbers(long long bytes) {
  static _Thread_local struct buffer b;
  size_t before = b.size;
  char* at = room(&b, bytes, 0);
  for (size_t i = 0; i < b.size && b.size != before && !fill_zero; i += 8) at[i] = (char)(1 + i / 8 % 100);
  return at;
}
static inline char* cdf_memory(long long bytes) { return small_numbers(bytes); }
/* Memory for elements of variables. */
static inline void* cdf_in(long long bytes) { return in(to_read = bytes); }
static inline void* cdf_out(long long bytes) { return small_numbers(to_write = bytes); }
static inline void* cdf_text(long long bytes) { return out(to_write = bytes); }
/* The same of a datatype of MPI. Where its count is left to the library (-1), the bytes say how much. */
static inline void* cdf_typed_in(long long bytes, long long count, MPI_Datatype type) {
  return count < 0 ? cdf_in(bytes) : mpi_in(count, type);
}
static inline void* cdf_typed_out(long long bytes, long long count, MPI_Datatype type) {
  return count < 0 ? cdf_out(bytes) : mpi_room(cdf_memory, count, type, &to_write);
}
/* The same where elements lie at distances from each other. */
static inline long long cdf_span(long long bytes, int dimensions, const long long* count,
                                 const long long* distance) {
  long long elements = 1, last = 0;
  for (int d = 0; d < dimensions; ++d) {
    if (count[d] <= 0) return 0;
    elements *= count[d];
    last += (count[d] - 1) * (distance[d] < 0 ? -distance[d] : distance[d]);
  }
  return (last + 1) * (bytes / elements);
}
static inline void* cdf_spread_in(long long bytes, int dimensions, const void* count, const void* distance) {
  void* memory = in(cdf_span(bytes, dimensions, count, distance));
  to_read = bytes;
  return memory;
}
static inline void* cdf_spread_out(long long bytes, int dimensions, const void* count, const void* distance) {
  void* memory = small_numbers(cdf_span(bytes, dimensions, count, distance));
  to_write = bytes;
  return memory;
}
/* For several variables: so much for each, or as much as elements of a datatype of MPI need. */
static inline void* cdf_buffers(int reads, long long bytes, long long count, const long long* each) {
  void** list = scratch((count + 1) * (long long)sizeof *list);
  for (int again = 0; again < 2; ++again) /* the first time, memory may still move as it grows */
    for (long long i = 0; i < count; ++i) list[i] = reads ? in(each[i]) : small_numbers(each[i]);
  *(reads ? &to_read : &to_write) = bytes;
  return list;
}
static inline void* cdf_typed_buffers(int reads, long long bytes, long long count, const long long* each,
                                      const MPI_Offset* elements, const MPI_Datatype* types) {
  void** list = cdf_buffers(reads, bytes, count, each);
  for (int again = 0; again < 2; ++again)
    for (long long i = 0; i < count; ++i) {
      if (types[i] == MPI_DATATYPE_NULL)
        list[i] = reads ? in(each[i]) : small_numbers(each[i]);
      else
        list[i] = reads ? cdf_typed_in(each[i], elements[i], types[i])
                        : cdf_typed_out(each[i], elements[i], types[i]);
    }
  *(reads ? &to_read : &to_write) = bytes;
  return list;
}
/* Numbers for each of several parts: as many as the variable has dimensions. */
static inline void* cdf_rows(int file, long long count, const int* variables, int several,
                             const MPI_Offset* numbers) {
  MPI_Offset** rows = scratch((count + 1) * (long long)sizeof *rows);
  quiet(1);
  for (long long i = 0; i < count; ++i) {
    int dimensions = 0;
    if (ncmpi_inq_varndims(file, variables[several ? i : 0], &dimensions) != NC_NOERR) dimensions = 0;
    rows[i] = (MPI_Offset*)numbers;
    numbers += dimensions;
  }
  quiet(0);
  return rows;
}
/* A file as the recorded program found it, without its data. */
static inline void cdf_input(const char* path, const long long* numbers, long long count, const char* names) {
  need_folder_of(path);
  path = here(path);
  const char* wrong = make_classic_netcdf(path, numbers, count, names);
  if (wrong) stop(path, wrong);
}
#include <netcdf.h>      // NC netcdf_code
#include <netcdf_par.h>  // nc_create_par nc_open_par nc_var_par_access
#define NC(call) netcdf_code((START, (call)), #call)
static inline void netcdf_code(int result, const char* call) {
  if (ended(netcdf, result != NC_NOERR)) stop(call, nc_strerror(result));
}
/* What holds addresses, or may, gets zeros: no strings, sequences without elements. */
static inline void* cdf_zeros(long long bytes) {
  void* memory = memset(in(bytes), 0, (size_t)(bytes > 0 ? bytes : 0));
  to_write = bytes;
  return memory;
}
/* Memory for elements of the type that the variable has. */
static inline void* cdf_like_file(long long bytes, long long room, int file, int variable) {
  nc_type type = NC_NAT;
  quiet(1);
  if (nc_inq_vartype(file, variable, &type) != NC_NOERR) type = NC_NAT;
  quiet(0);
  void* memory = type >= NC_STRING ? cdf_zeros(room) : cdf_out(room);
  to_write = bytes;
  return memory;
}
/* Strings of these lengths. */
static inline void* cdf_strings(long long bytes, long long count, const long long* lengths) {
  char** list = scratch((count + 1) * (long long)sizeof *list);
  long long longest = 0;
  for (long long i = 0; i < count; ++i) longest = lengths[i] > longest ? lengths[i] : longest;
  char* text = scratch(longest + 1);
  memset(text, 'x', (size_t)longest);
  text[longest] = 0;
  for (long long i = 0; i < count; ++i) list[i] = lengths[i] < 0 ? NULL : text + longest - lengths[i];
  to_write = bytes;
  return list;
}
