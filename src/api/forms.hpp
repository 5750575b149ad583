// How an argument is passed to a call. A kernel prints each form as C; a replay builds a machine word from
// it. Kinds (kinds.hpp) say what an argument means, and there are many of them. Forms say how to construct
// it, and there are few.
#pragma once

#include <cstdint>

namespace refrain::api {

enum class Form : uint8_t {
  name,            ///< flags, an enumerator or permission bits; optional if it is the last argument
  number,          ///< by value
  number_behind,   ///< by address, or NULL
  text,            ///< a string without numbers
  string,          ///< with numbers in it, or NULL
  path,            ///< a string that names a file
  later_path,      ///< a string that names a file which a library opens later, relative to any folder
  extension,       ///< a string that a library appends to the name of a file
  system_handle,   ///< descriptor, stream, directory, asynchronous request
  library_handle,  ///< of MPI or HDF5
  handle_behind,   ///< of MPI, by address because the call changes or frees it
  made_behind,     ///< memory for a new handle, which is the result in the trace
  made_id,         ///< memory for a new HDF5 identifier, or NULL
  made_ids,        ///< the same, for each file of a driver with several
  output_text,     ///< memory for a string that the call returns
  output_type,     ///< memory for a datatype that the call returns
  output_done,     ///< memory for a flag that says whether a request is done
  output,          ///< memory for a value that is not part of the trace, or NULL
  status,          ///< of MPI; not part of the trace
  mapped,          ///< an address in a file mapping
  buffer,          ///< memory for data
  vector,          ///< several buffers
  elements,        ///< memory for elements of HDF5
  memory,          ///< filled by one call of HDF5 and read by another; has a slot
  room,            ///< the size of such memory
  value,           ///< of an HDF5 type, by address
  bytes,           ///< a value, byte by byte, or NULL
  variable_data,   ///< memory for elements of a netCDF variable
  several_data,    ///< the same for several variables
  string_data,     ///< strings for a netCDF variable
  lock_or_number,  ///< third argument of fcntl or ioctl, as the second one requires
  implied,         ///< follows from other arguments, or has no effect
  list_length,     ///< of a list that follows
  int_list,        ///< numbers of 32 bits
  range_list,      ///< triples of such numbers
  wide_list,       ///< numbers of 64 bits
  number_rows,     ///< one list of such numbers for each of several parts of variables
  handle_list,     ///< datatypes or info objects: names, then the slots of those without a name
  name_list,       ///< enumerators
  request_list,    ///< of MPI
  fd_list,         ///< descriptors by their slots; -1 for none
  aio_list,        ///< asynchronous requests
  started_list,    ///< asynchronous requests that the call starts
  function,        ///< a function of the application
  filter,          ///< a filter of the application, by number
  link_class,      ///< a class of links of the application, by number
  driver_members,  ///< settings for each file of an HDF5 driver with several files
  cache_config,    ///< settings of HDF5's metadata cache
  image_config,    ///< settings of that cache's image in the file
  unkept,          ///< a structure of which the trace holds only a part
  result,          ///< not an argument but the result
};

}  // namespace refrain::api
