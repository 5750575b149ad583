// Kinds that only HDF5 has; part of the list in kinds.hpp.
#pragma once

// KIND(name, what it means)
#define REFRAIN_HDF5_KINDS(KIND)                                                           \
  /* identifiers that must exist already */                                                \
  KIND(h5_id, "HDF5 identifier")                                                           \
  KIND(h5_closed, "HDF5 identifier that the call closes")                                  \
  KIND(h5_space, "dataspace, or H5S_ALL")                                                  \
  KIND(h5_plist, "property list, or H5P_DEFAULT")                                          \
  KIND(h5_stack, "error stack, or H5E_DEFAULT")                                            \
  KIND(h5_vfd, "file of a virtual file driver")                                            \
  KIND(h5_closed_vfd, "file of a virtual file driver that the call closes")                \
  KIND(h5_comm, "MPI communicator")                                                        \
  KIND(h5_info, "MPI info object")                                                         \
  /* strings, numbers, lists */                                                            \
  KIND(h5_name, "name of an object, an attribute, a member, or NULL")                      \
  KIND(h5_file, "path of a file or folder that the library uses later, or NULL")           \
  KIND(h5_extension, "what a driver adds to the name of a file, or NULL")                  \
  KIND(h5_read, "number of bytes read")                                                    \
  KIND(h5_written, "number of bytes written")                                              \
  KIND(h5_real, "floating-point number")                                                   \
  KIND(h5_bool, "true or false")                                                           \
  KIND(h5_sizes, "sizes, as many as the number before them says, or NULL")                 \
  KIND(h5_words, "32-bit numbers, as many as the number before them says, or NULL")        \
  KIND(h5_coordinates, "one number per dimension of the dataspace, or NULL")               \
  KIND(h5_offsets, "one signed number per dimension of the dataspace, or NULL")            \
  KIND(h5_points, "coordinates of points in the dataspace")                                \
  KIND(h5_extent, "one number per dimension of the dataset")                               \
  KIND(h5_value, "a value of the type before it, or NULL")                                 \
  KIND(h5_value_before, "a value of the type behind it, or NULL")                          \
  KIND(h5_member_value, "a value of the enumeration that comes first")                     \
  KIND(h5_multi_map, "driver member of each kind of memory, or NULL")                      \
  KIND(h5_multi_plists, "access property list of each driver member, or NULL")             \
  KIND(h5_multi_names, "name of each driver member, or NULL")                              \
  KIND(h5_multi_offsets, "start address of each driver member, or NULL")                   \
  KIND(h5_cache_config, "configuration of the metadata cache")                             \
  KIND(h5_image_config, "configuration of the image of the metadata cache")                \
  KIND(h5_filter_class, "filter to register, as its number")                               \
  KIND(h5_link_class, "class of links to register, as its number")                         \
  KIND(h5_function, "function of the application, or NULL")                                \
  /* memory */                                                                             \
  KIND(h5_data_in, "elements that the call writes, as their bytes")                        \
  KIND(h5_data_out, "elements that the call reads, as their bytes")                        \
  KIND(h5_attribute_in, "value of an attribute that the call writes, as its bytes")        \
  KIND(h5_attribute_out, "value of an attribute that the call reads, as its bytes")        \
  KIND(h5_memory_out, "memory that the call fills for another to take")                    \
  KIND(h5_memory_in, "memory that another call has filled")                                \
  KIND(h5_room, "how much room there is for an encoded object")                            \
  KIND(new_h5_comm, "where the call puts a new communicator, or NULL")                     \
  KIND(new_h5_info, "where the call puts a new info object, or NULL")                      \
  KIND(new_h5_behind, "where the call puts a new identifier, or NULL")                     \
  KIND(new_h5_multi, "where the call puts the identifiers of the driver members, or NULL") \
  /* flags and enumerators: see hdf5_names.def */                                          \
  KIND(h5_access, "H5F_ACC_ flags")                                                        \
  KIND(h5_object_flags, "H5F_OBJ_ flags")                                                  \
  KIND(h5_filter_flags, "H5Z_FLAG_ flags")                                                 \
  KIND(h5_creation_order, "H5P_CRT_ORDER_ flags")                                          \
  KIND(h5_copy_flags, "H5O_COPY_ flags")                                                   \
  KIND(h5_message_flags, "H5O_SHMESG_ flags")                                              \
  KIND(h5_szip_flags, "H5_SZIP_ flags")                                                    \
  KIND(h5_chunk_flags, "H5D_CHUNK_ flags")                                                 \
  KIND(h5_info_fields, "H5O_INFO_ flags")                                                  \
  KIND(h5_index, "H5_index_t")                                                             \
  KIND(h5_order, "H5_iter_order_t")                                                        \
  KIND(h5_scope, "H5F_scope_t")                                                            \
  KIND(h5_version, "H5F_libver_t")                                                         \
  KIND(h5_close_degree, "H5F_close_degree_t")                                              \
  KIND(h5_layout, "H5D_layout_t")                                                          \
  KIND(h5_alloc_time, "H5D_alloc_time_t")                                                  \
  KIND(h5_fill_time, "H5D_fill_time_t")                                                    \
  KIND(h5_space_class, "H5S_class_t")                                                      \
  KIND(h5_select_op, "H5S_seloper_t")                                                      \
  KIND(h5_selection, "H5S_sel_type")                                                       \
  KIND(h5_type_class, "H5T_class_t")                                                       \
  KIND(h5_byte_order, "H5T_order_t")                                                       \
  KIND(h5_sign, "H5T_sign_t")                                                              \
  KIND(h5_pad, "H5T_pad_t")                                                                \
  KIND(h5_norm, "H5T_norm_t")                                                              \
  KIND(h5_string_pad, "H5T_str_t")                                                         \
  KIND(h5_charset, "H5T_cset_t")                                                           \
  KIND(h5_direction, "H5T_direction_t")                                                    \
  KIND(h5_persistence, "H5T_pers_t")                                                       \
  KIND(h5_link_type, "H5L_type_t")                                                         \
  KIND(h5_reference_type, "H5R_type_t")                                                    \
  KIND(h5_object_type, "H5G_obj_t")                                                        \
  KIND(h5_id_type, "H5I_type_t")                                                           \
  KIND(h5_filter, "H5Z_filter_t")                                                          \
  KIND(h5_edc, "H5Z_EDC_t")                                                                \
  KIND(h5_scale_type, "H5Z_SO_scale_type_t")                                               \
  KIND(h5_memory_type, "H5FD_mem_t")                                                       \
  KIND(h5_transfer, "H5FD_mpio_xfer_t")                                                    \
  KIND(h5_chunk_opt, "H5FD_mpio_chunk_opt_t")                                              \
  KIND(h5_collective_opt, "H5FD_mpio_collective_opt_t")                                    \
  KIND(h5_file_space, "H5F_file_space_type_t")                                             \
  KIND(h5_space_strategy, "H5F_fspace_strategy_t")                                         \
  KIND(h5_view, "H5D_vds_view_t")                                                          \
  /* results; an enumerator fails below 0 */                                               \
  KIND(h5_status, "0 or more, or negative")                                                \
  KIND(new_h5, "new HDF5 identifier, or negative")                                         \
  KIND(new_h5_vfd, "file of a virtual file driver, or NULL")                               \
  KIND(h5_flag, "true or false, or negative")                                              \
  KIND(h5_count, "number, or negative")                                                    \
  KIND(h5_amount, "number")                                                                \
  KIND(h5_pointer, "pointer, or NULL")
