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
  hid_t own = space == H5S_ALL && dataset >= 0 ? H5Dget_space(dataset) : -1;
  long long whole = own >= 0 ? h5_extent(type, own) : space != H5S_ALL ? h5_extent(type, space) : bytes;
  if (own >= 0) H5Sclose(own);
  if (whole > all) all = whole;
  int plain = H5Tdetect_class(type, H5T_VLEN) <= 0 && H5Tdetect_class(type, H5T_REFERENCE) <= 0 &&
              H5Tdetect_class(type, H5T_STRING) <= 0;
  int variable = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
  plain = plain || (H5Tget_class(type) == H5T_STRING && !variable);
  if (plain && space != H5S_ALL) bytes = H5Sget_select_npoints(space) * (long long)H5Tget_size(type);
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
