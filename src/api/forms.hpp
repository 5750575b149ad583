// In which form an argument stands in a call, whoever makes it: a kernel prints each form as C, a replay puts
// it together as a word. Kinds (kinds.hpp) say what an argument means, and there are many of them; forms
// say what has to be done about it.
#pragma once

#include <cstdint>

namespace refrain::api {

enum class Form : uint8_t {
  name,            ///< flags, an enumerator, permission bits; the last may be missing
  number,          ///< by value
  number_behind,   ///< by address, or NULL
  text,            ///< as it is
  string,          ///< with numbers in it, or NULL
  path,            ///< a string that names a file
  later_path,      ///< a string that names a file which a library uses later, from where it likes
  extension,       ///< a string that a library adds to the name of a file
  system_handle,   ///< descriptor, stream, directory, asynchronous request
  library_handle,  ///< of MPI or HDF5
  handle_behind,   ///< of MPI, by address, because the call changes or frees it
  made_behind,     ///< where the call puts what stands in the trace as its result
  made_id,         ///< where HDF5 puts a new identifier, or NULL
  made_ids,        ///< the same, for each file of a driver with several
  told_text,       ///< where the call puts a string
  told_type,       ///< where the call puts a datatype
  told_done,       ///< where the call says whether a request is done
  told,            ///< where the call puts something that nobody looks at, or NULL
  status,          ///< of MPI, which nobody asks for
  mapped,          ///< an address in a file mapping
  buffer,          ///< memory for data
  vector,          ///< several buffers
  elements,        ///< memory for elements of HDF5
  memory,          ///< that a call of HDF5 fills and another takes, by slot
  room,            ///< how much of it there is
  value,           ///< of an HDF5 type, by address
  bytes,           ///< a value, byte by byte, or NULL
  variable_data,   ///< memory for elements of a netCDF variable
  several_data,    ///< the same for several variables
  string_data,     ///< strings for a netCDF variable
  lock_or_number,  ///< what the command of fcntl or the request of ioctl takes
  implied,         ///< follows from the rest, or doesn't matter
  list_length,     ///< of a list that follows
  int_list,        ///< numbers of 32 bits
  range_list,      ///< the same, by threes
  wide_list,       ///< numbers of 64 bits
  number_rows,     ///< the same, by address, for each of several parts of variables
  handle_list,     ///< datatypes or info objects by name, then the slots of those that have none
  name_list,       ///< enumerators
  request_list,    ///< of MPI
  aio_list,        ///< asynchronous requests
  started_list,    ///< asynchronous requests that the call starts
  function,        ///< of the application
  filter,          ///< of the application, by number
  link_class,      ///< the same
  driver_members,  ///< what an HDF5 driver with several files takes for each
  cache_config,    ///< settings of HDF5's metadata cache
  image_config,    ///< settings of that cache's image in the file
  unkept,          ///< a structure that the trace doesn't hold whole
  result,          ///< no argument at all
};

}  // namespace refrain::api
