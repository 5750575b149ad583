/* An HDF5 file with the objects that the recorded program found in it; what is there stays. */
static hid_t h5_input_file;
static inline void h5_input(const char* path) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  need_folder_of(path);
  path = here(path);
  h5_input_file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (h5_input_file < 0) h5_input_file = H5Fcreate(path, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  if (h5_input_file < 0) stop(path, "HDF5 can't make it");
}
static inline void h5_input_done(void) { H5Fclose(h5_input_file); }
static inline int h5_is_there(const char* path) {
  hid_t object = H5Oopen(h5_input_file, path, H5P_DEFAULT);
  if (object >= 0) H5Oclose(object);
  return object >= 0;
}
static inline hid_t h5_with_parents(void) {
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list, 1);
  return list;
}
static inline void h5_group(const char* path) {
  if (h5_is_there(path)) return;
  hid_t list = h5_with_parents();
  hid_t group = H5Gcreate2(h5_input_file, path, list, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) stop(path, "HDF5 can't make the group");
  H5Gclose(group);
  H5Pclose(list);
}
/* Without an extent: as many elements as the bytes give, along the first dimension. */
static inline hid_t h5_input_space(hid_t type, long long bytes, int dimensions, const hsize_t* extent,
                                   const hsize_t* most) {
  hsize_t along_first[H5S_MAX_RANK] = {(hsize_t)bytes / H5Tget_size(type)};
  for (int d = 1; d < H5S_MAX_RANK; ++d) along_first[d] = 1;
  if (dimensions == 0) return H5Screate(H5S_SCALAR);
  return H5Screate_simple(dimensions, extent ? extent : along_first, most);
}
static inline void h5_laid_out_dataset(const char* path, hid_t type, long long bytes, int dimensions,
                                       const hsize_t* extent, const hsize_t* most, hid_t layout) {
  if (h5_is_there(path)) return;
  hid_t list = h5_with_parents();
  hid_t space = h5_input_space(type, bytes, dimensions, extent, most);
  hid_t made = H5Dcreate2(h5_input_file, path, type, space, list, layout, H5P_DEFAULT);
  if (made < 0) stop(path, "HDF5 can't make the dataset");
  hssize_t points = H5Sget_simple_extent_npoints(space);
  void* data = calloc((size_t)(points > 0 ? points : 1), H5Tget_size(type));
  if (data) H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  free(data);
  H5Dclose(made);
  H5Sclose(space);
  H5Pclose(list);
}
static inline void h5_dataset(const char* path, hid_t type, long long bytes, int dimensions,
                              const hsize_t* extent) {
  h5_laid_out_dataset(path, type, bytes, dimensions, extent, NULL, H5P_DEFAULT);
}
/* One whose extent the program changes. */
static inline void h5_growing_dataset(const char* path, hid_t type, long long bytes, int dimensions,
                                      const hsize_t* extent) {
  hsize_t most[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
  hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  for (int d = 0; d < H5S_MAX_RANK; ++d) {
    most[d] = H5S_UNLIMITED;
    chunk[d] = extent && d < dimensions && extent[d] > 0 && extent[d] < 1024 ? extent[d] : d == 0 ? 1024 : 1;
  }
  H5Pset_chunk(layout, dimensions, chunk);
  h5_laid_out_dataset(path, type, bytes, dimensions, extent, most, layout);
  H5Pclose(layout);
}
static inline void h5_attribute(const char* path, const char* name, hid_t type, long long bytes,
                                int dimensions) {
  if (H5Aexists_by_name(h5_input_file, path, name, H5P_DEFAULT) > 0) return;
  size_t elements = (size_t)bytes / H5Tget_size(type);
  hid_t space = h5_input_space(type, bytes, dimensions < 0 ? elements != 1 : dimensions, NULL, NULL);
  hid_t made =
      H5Acreate_by_name(h5_input_file, path, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (made < 0) stop(name, "HDF5 can't make the attribute");
  void* data = calloc(elements + 1, H5Tget_size(type));
  if (data) H5Awrite(made, type, data);
  free(data);
  H5Aclose(made);
  H5Sclose(space);
}
