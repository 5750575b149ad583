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
