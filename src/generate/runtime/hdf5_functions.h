/* Stand-ins for functions of the recorded program: a conversion that keeps data as it is, a filter that
 * passes data on, links that lead to the group they are in, a driver. */
static inline herr_t h5_keep(hid_t from, hid_t to, H5T_cdata_t* about, size_t count, size_t stride,
                             size_t step, void* data, void* background, hid_t list) {
  (void)from, (void)to, (void)about, (void)count, (void)stride, (void)step, (void)data, (void)background,
      (void)list;
  return 0;
}
static inline size_t h5_pass(unsigned flags, size_t count, const unsigned* values, size_t bytes, size_t* size,
                             void** data) {
  (void)flags, (void)count, (void)values, (void)size, (void)data;
  return bytes;
}
static inline const void* h5_filter(int number) {
  static H5Z_class2_t filter;
  filter = (H5Z_class2_t){H5Z_CLASS_T_VERS, number, 1, 1, "kernel", NULL, NULL, h5_pass};
  return &filter;
}
static inline hid_t h5_same_group(const char* name, hid_t group, const void* data, size_t bytes, hid_t access,
                                  hid_t transfer) {
  (void)name, (void)data, (void)bytes, (void)transfer;
  return H5Oopen(group, ".", access);
}
static inline const H5L_class_t* h5_links(int number) {
  static H5L_class_t links;
  links.version = H5L_LINK_CLASS_T_VERS;
  links.id = (H5L_type_t)number;
  links.trav_func = h5_same_group;
  return &links;
}
/* Works like HDF5's own driver for ordinary files, which is taken from a file that it has opened. */
static inline const H5FD_class_t* h5_driver(void) {
  static H5FD_class_t driver;
  quiet(1);
  H5FD_t* file = H5FDopen("/dev/null", H5F_ACC_RDONLY, H5P_DEFAULT, HADDR_UNDEF);
  if (!file) stop("H5FDopen", "there is no driver for ordinary files");
  driver = *file->cls;
  H5FDclose(file);
  quiet(0);
  driver.name = "kernel";
  driver.terminate = NULL;
  driver.fapl_size = 8;
  return &driver;
}
