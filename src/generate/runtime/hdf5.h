// Calls of HDF5: checking them, memory for elements, and elements that hold more than bytes.
#include <hdf5.h>  // H5* hid_t hsize_t haddr_t
static _Thread_local H5E_auto2_t h5_report;
static _Thread_local void* h5_report_data;
static _Thread_local int h5_silent;
/* HDF5 says nothing about failures that are expected. */
static inline void h5_begin(void) {
  if (!failure_expected) return;
  quiet(1);
  H5Eget_auto2(H5E_DEFAULT, &h5_report, &h5_report_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  h5_silent = 1;
  quiet(0);
}
/* Left to the end of the process, HDF5 closes files that are still open when MPI is over. */
static inline void h5_quietly_off(void) {
  int ended = 0;
  quiet(1);
  MPI_Finalized(&ended);
  if (!ended) H5close();
}
static inline long long h5_number(long long result, const char* call) {
  if (h5_silent) {
    quiet(1);
    H5Eset_auto2(H5E_DEFAULT, h5_report, h5_report_data);
    h5_silent = 0;
    quiet(0);
  }
  if (ended(hdf5, result < 0)) stop(call, "HDF5 says no");
  return result;
}
/* Bytes in memory of what a dataspace describes. */
static inline long long h5_extent(hid_t type, hid_t space) {
  hssize_t points = H5Sget_simple_extent_npoints(space);
  return (points > 0 ? (long long)points : 0) * (long long)H5Tget_size(type);
}
/* Memory for the elements of a call that moved `bytes`, or as much as is selected now; types that hold
 * addresses or references get zeros. */
static inline void* h5_room(int reads, long long bytes, hid_t dataset, hid_t type, hid_t space) {
  quiet(1);
  long long all = bytes;
  int is_space = space > 2; /* not H5S_ALL, nor H5S_BLOCK or H5S_PLIST, which came with 1.14 */
  hid_t own = space == H5S_ALL && dataset >= 0 ? H5Dget_space(dataset) : -1;
  long long whole = own >= 0 ? h5_extent(type, own) : is_space ? h5_extent(type, space) : bytes;
  if (own >= 0) H5Sclose(own);
  if (whole > all) all = whole;
  int plain = H5Tdetect_class(type, H5T_VLEN) <= 0 && H5Tdetect_class(type, H5T_REFERENCE) <= 0 &&
              H5Tdetect_class(type, H5T_STRING) <= 0;
  int variable = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
  plain = plain || (H5Tget_class(type) == H5T_STRING && !variable);
  if (plain && is_space) bytes = H5Sget_select_npoints(space) * (long long)H5Tget_size(type);
  quiet(0);
  *(reads ? &to_read : &to_write) = bytes;
  if (reads || !plain) return memset(in(all), 0, (size_t)all);
  return out(all);
}
static inline void* h5_in(long long bytes, hid_t dataset, hid_t type, hid_t space) {
  return h5_room(1, bytes, dataset, type, space);
}
static inline void* h5_out(long long bytes, hid_t dataset, hid_t type, hid_t space) {
  return h5_room(0, bytes, dataset, type, space);
}
/* Elements that hold sequences and strings of variable length, or references to objects. The numbers are
 * lengths, and numbers of references, in the order in which the elements hold them; -1 is none. */
struct h5_contents {
  const long long* numbers;
  long long left;
  const hobj_ref_t* references;
  long long reference_count;
};
struct h5_piece {
  struct h5_piece* next;
  char bytes[];
};
static inline char* h5_piece(long long count, size_t size) {
  static _Thread_local struct h5_piece* pieces;
  while (count < 0 && pieces) { /* what the call before needed */
    struct h5_piece* next = pieces->next;
    free(pieces);
    pieces = next;
  }
  if (count < 0) return NULL;
  size_t bytes = count > LONG_MAX / (long long)(size + 1) - 64 ? SIZE_MAX / 4 : (size_t)count * size;
  struct h5_piece* piece = malloc(sizeof *piece + bytes + 1);
  if (!piece) stop("memory for data", strerror(ENOMEM));
  for (size_t i = 0; i < bytes; ++i) piece->bytes[i] = (char)(fill_zero ? 0 : 'a' + i % 23);
  piece->bytes[bytes] = 0;
  piece->next = pieces;
  pieces = piece;
  return piece->bytes;
}
static inline long long h5_next(struct h5_contents* c) { return c->left-- > 0 ? *c->numbers++ : -1; }
static inline void h5_put(hid_t type, char* to, struct h5_contents* c) {
  H5T_class_t of = H5Tget_class(type);
  if (of == H5T_STRING && H5Tis_variable_str(type) > 0) {
    long long length = h5_next(c);
    char* text = length < 0 ? NULL : h5_piece(length, 1);
    memcpy(to, &text, sizeof text);
  } else if (of == H5T_REFERENCE && H5Tget_size(type) == sizeof(hobj_ref_t)) {
    long long number = h5_next(c);
    if (number >= 0 && number < c->reference_count) memcpy(to, &c->references[number], sizeof(hobj_ref_t));
  } else if (of == H5T_VLEN || of == H5T_ARRAY) {
    hid_t base = H5Tget_super(type);
    size_t size = H5Tget_size(base);
    int more = H5Tdetect_class(base, H5T_VLEN) > 0 || H5Tdetect_class(base, H5T_REFERENCE) > 0 ||
               H5Tdetect_class(base, H5T_STRING) > 0;
    long long count = of == H5T_VLEN ? h5_next(c) : (long long)(H5Tget_size(type) / size);
    char* first = to;
    if (of == H5T_VLEN) {
      hvl_t sequence = {count > 0 ? (size_t)count : 0, count > 0 ? h5_piece(count, size) : NULL};
      first = sequence.p;
      if (more && first) memset(first, 0, sequence.len * size);
      memcpy(to, &sequence, sizeof sequence);
    }
    for (long long i = 0; more && i < count; ++i) h5_put(base, first + (size_t)i * size, c);
    H5Tclose(base);
  } else if (of == H5T_COMPOUND) {
    for (int m = 0; m < H5Tget_nmembers(type); ++m) {
      hid_t member = H5Tget_member_type(type, (unsigned)m);
      h5_put(member, to + H5Tget_member_offset(type, (unsigned)m), c);
      H5Tclose(member);
    }
  }
}
static inline herr_t h5_put_one(void* to, hid_t type, unsigned rank_of_space, const hsize_t* point, void* c) {
  (void)rank_of_space, (void)point;
  h5_put(type, to, c);
  return 0;
}
/* The elements at `to` of a dataset or, without spaces, of an attribute. */
static inline void* h5_filled(void* to, hid_t object, hid_t type, hid_t space, hid_t file_space,
                              const long long* numbers, long long count, const hobj_ref_t* references,
                              long long reference_count) {
  struct h5_contents c = {numbers, count, references, reference_count};
  quiet(1);
  h5_piece(-1, 0);
  hid_t own = -1;
  if (space < 0) own = H5Aget_space(object);
  if (space == H5S_ALL && file_space == H5S_ALL) own = H5Dget_space(object);
  hid_t of = own >= 0 ? own : space > 2 ? space : file_space;
  if (H5Sget_select_npoints(of) > 0) H5Diterate(to, type, of, h5_put_one, &c);
  if (own >= 0) H5Sclose(own);
  quiet(0);
  return to;
}
