// Settings of property lists (H5P): what is set can be asked for, list by list.
#include "every_hdf5.h"

static void file_creation(void) {
  size_t sizes[2];
  unsigned k[3];
  H5F_fspace_strategy_t strategy;
  hbool_t persist = 0;
  hsize_t threshold = 0;
  hsize_t page = 0;
  hid_t list = MUST(H5Pcreate(H5P_FILE_CREATE));
  MUST(H5Pget_sizes(list, &sizes[0], &sizes[1]));
  MUST(H5Pget_sym_k(list, &k[0], &k[1]));
  MUST(H5Pget_istore_k(list, &k[2]));
  MUST(H5Pset_file_space_page_size(list, 8192));
  MUST(H5Pget_file_space_page_size(list, &page));
  MUST(H5Pget_file_space_strategy(list, &strategy, &persist, &threshold));
  MUST(H5Pset_shared_mesg_nindexes(list, 1));
  MUST(H5Pset_shared_mesg_index(list, 0, H5O_SHMESG_DTYPE_FLAG, 40));
  MUST(H5Pset_shared_mesg_phase_change(list, 30, 20));
  MUST(H5Pget_shared_mesg_nindexes(list, &k[0]));
  MUST(H5Pget_shared_mesg_index(list, 0, &k[0], &k[1]));
  MUST(H5Pget_shared_mesg_phase_change(list, &k[0], &k[1]));
  note("addresses of %zu bytes, pages of %llu, lists up to %u", sizes[0], (unsigned long long)page, k[0]);
  MUST(H5Pclose(list));
}

static void file_access(void) {
  hsize_t bytes[2];
  size_t sizes[3];
  int elements = 0;
  double preemption = 0;
  unsigned number = 0;
  H5F_libver_t low;
  H5F_libver_t high;
  H5F_close_degree_t degree;
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  H5FD_mem_t type;
  hid_t list = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pget_alignment(list, &bytes[0], &bytes[1]));
  MUST(H5Pget_cache(list, &elements, &sizes[0], &sizes[1], &preemption));
  MUST(H5Pget_meta_block_size(list, &bytes[0]));
  MUST(H5Pget_sieve_buf_size(list, &sizes[2]));
  MUST(H5Pget_small_data_block_size(list, &bytes[1]));
  MUST(H5Pget_libver_bounds(list, &low, &high));
  MUST(H5Pget_fclose_degree(list, &degree));
  MUST(H5Pget_gc_references(list, &number));
  MUST(H5Pget_mdc_config(list, &cache));
  MUST(H5Pset_mdc_config(list, &cache));
  MUST(H5Pset_metadata_read_attempts(list, 3));
  MUST(H5Pget_metadata_read_attempts(list, &number));
  MUST(H5Pset_elink_file_cache_size(list, 4));
  MUST(H5Pget_elink_file_cache_size(list, &number));
  MUST(H5Pset_family_offset(list, 1024));
  MUST(H5Pget_family_offset(list, &bytes[0]));
  MUST(H5Pset_multi_type(list, H5FD_MEM_DRAW));
  MUST(H5Pget_multi_type(list, &type));
  MUST(H5Pset_driver(list, H5FD_SEC2, NULL));
  note("sieve of %zu bytes, family offset %llu, external files kept: %u", sizes[2],
       (unsigned long long)bytes[0], number);
  MUST(H5Pclose(list));
}

static herr_t on_link(const char* parent, const char* group, const char* file, const char* object,
                      unsigned* flags, hid_t access, void* state) {
  (void)parent, (void)group, (void)file, (void)object, (void)flags, (void)access, (void)state;
  return 0;
}

static void link_access(void) {
  char prefix[16];
  size_t links = 0;
  unsigned flags = 0;
  H5L_elink_traverse_t callback = NULL;
  void* state = NULL;
  hid_t list = MUST(H5Pcreate(H5P_LINK_ACCESS));
  MUST(H5Pset_nlinks(list, 20));
  MUST(H5Pget_nlinks(list, &links));
  MUST(H5Pset_elink_prefix(list, "folder"));
  MUST(H5Pget_elink_prefix(list, prefix, sizeof prefix));
  MUST(H5Pset_elink_acc_flags(list, H5F_ACC_RDONLY));
  MUST(H5Pget_elink_acc_flags(list, &flags));
  MUST(H5Pset_elink_fapl(list, H5P_DEFAULT));
  MUST(H5Pset_elink_cb(list, on_link, NULL));
  MUST(H5Pget_elink_cb(list, &callback, &state));
  note("%zu links in a row, prefix %s, callback kept: %d", links, prefix, callback == on_link);
  MUST(H5Pclose(list));
}

static void dataset_creation(void) {
  const hsize_t chunk[2] = {5, 6};
  const int fill = 17;
  int found = 0;
  H5D_fill_value_t defined;
  H5D_fill_time_t when;
  H5D_alloc_time_t allocated;
  unsigned flags = 0;
  unsigned values[4];
  unsigned config = 0;
  size_t count = 4;
  char name[32];
  hid_t list = MUST(H5Pcreate(H5P_DATASET_CREATE));
  MUST(H5Pset_chunk(list, 2, chunk));
  MUST(H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS));
  MUST(H5Pget_chunk_opts(list, &flags));
  MUST(H5Pset_fill_value(list, H5T_NATIVE_INT, &fill));
  MUST(H5Pget_fill_value(list, H5T_NATIVE_INT, &found));
  MUST(H5Pfill_value_defined(list, &defined));
  MUST(H5Pget_fill_time(list, &when));
  MUST(H5Pget_alloc_time(list, &allocated));
  MUST(H5Pset_deflate(list, 4));
  MUST(H5Pget_filter2(list, 0, &flags, &count, values, sizeof name, name, &config));
  count = 4;
  MUST(H5Pget_filter_by_id2(list, H5Z_FILTER_DEFLATE, &flags, &count, values, sizeof name, name, &config));
  note("fill value %d, defined %d, filter %s with level %u", found, (int)defined, name, values[0]);
  MUST(H5Pclose(list));
}

static H5T_conv_ret_t on_exception(H5T_conv_except_t what, hid_t from, hid_t to, void* in, void* out,
                                   void* state) {
  (void)what, (void)from, (void)to, (void)in, (void)out, (void)state;
  return H5T_CONV_UNHANDLED;
}

static void* take(size_t bytes, void* state) {
  (void)state;
  return malloc(bytes);
}
static void give(void* memory, void* state) {
  (void)state;
  free(memory);
}

static void transfer(void) {
  H5T_conv_except_func_t callback = NULL;
  void* state = NULL;
  size_t vector = 0;
  char transform[16];
  hid_t list = MUST(H5Pcreate(H5P_DATASET_XFER));
  MUST(H5Pset_type_conv_cb(list, on_exception, NULL));
  MUST(H5Pget_type_conv_cb(list, &callback, &state));
  MUST(H5Pset_vlen_mem_manager(list, take, NULL, give, NULL));
  MUST(H5Pset_hyper_vector_size(list, 256));
  MUST(H5Pget_hyper_vector_size(list, &vector));
  MUST(H5Pset_data_transform(list, "x+1"));
  MUST(H5Pget_data_transform(list, transform, sizeof transform));
  note("vectors of %zu, transform %s, buffer %d, check %d", vector, transform,
       H5Pget_buffer(list, NULL, NULL) > 0, (int)H5Pget_edc_check(list));
  MUST(H5Pclose(list));
}

void use_settings(void) {
  unsigned options = 0;
  unsigned tracked = 0;
  hid_t copy = MUST(H5Pcreate(H5P_OBJECT_COPY));
  MUST(H5Padd_merge_committed_dtype_path(copy, "/cell type"));
  MUST(H5Pfree_merge_committed_dtype_paths(copy));
  MUST(H5Pget_copy_object(copy, &options));
  MUST(H5Pclose(copy));
  hid_t group = MUST(H5Pcreate(H5P_GROUP_CREATE));
  MUST(H5Pget_link_creation_order(group, &tracked));
  MUST(H5Pget_est_link_info(group, &options, &tracked));
  MUST(H5Pget_link_phase_change(group, &options, &tracked));
  MUST(H5Pclose(group));
  file_creation();
  file_access();
  link_access();
  dataset_creation();
  transfer();
}
