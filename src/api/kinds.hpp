// What an argument or a result of a recorded function *means*. A row of the tables (posix.def, mpi.def, …)
// gives one kind to each; recording, printing, replaying and generating all follow from it.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/hdf5_kinds.hpp"
#include "api/mpi_kinds.hpp"

namespace refrain::api {

// KIND(name, what it means)
#define REFRAIN_SYSTEM_KINDS(KIND)                                              \
  /* handles that must exist already */                                         \
  KIND(fd, "file descriptor")                                                   \
  KIND(closed_fd, "file descriptor that the call closes")                       \
  KIND(target_fd, "file descriptor number that the call (re)uses")              \
  KIND(dirfd, "directory descriptor or AT_FDCWD")                               \
  KIND(stream, "stdio stream")                                                  \
  KIND(closed_stream, "stdio stream that the call closes")                      \
  KIND(dir, "directory stream")                                                 \
  KIND(closed_dir, "directory stream that the call closes")                     \
  KIND(aio, "asynchronous request")                                             \
  KIND(new_aio, "asynchronous request that the call starts")                    \
  KIND(closed_aio, "asynchronous request that the call ends")                   \
  KIND(aio_list, "several asynchronous requests")                               \
  KIND(new_aio_list, "several asynchronous requests that the call starts")      \
  KIND(mapped, "address inside a file mapping")                                 \
  /* strings */                                                                 \
  KIND(path, "path name")                                                       \
  KIND(made_path, "path name that the call fills in")                           \
  KIND(text, "short string kept as it is")                                      \
  /* integers that may vary from call to call */                                \
  KIND(size, "number of bytes or elements")                                     \
  KIND(offset, "position in a file")                                            \
  KIND(integer, "plain number")                                                 \
  KIND(fcntl_argument, "what the F_ command takes: a number, flags, or a lock") \
  KIND(ioctl_argument, "what the request takes: a descriptor, of FICLONE")      \
  KIND(offset_ptr, "pointer to a position, or NULL")                            \
  KIND(iov_in, "vector of buffers to write, as its lengths")                    \
  KIND(iov_out, "vector of buffers to fill, as its lengths")                    \
  /* named constants: part of what the call is, never of its values */          \
  KIND(open_flags, "O_ flags")                                                  \
  KIND(at_flags, "AT_ flags")                                                   \
  KIND(mode, "permission bits")                                                 \
  KIND(access_mode, "R_OK, W_OK, X_OK")                                         \
  KIND(whence, "SEEK_ constant")                                                \
  KIND(advice, "POSIX_FADV_ constant")                                          \
  KIND(fallocate_mode, "FALLOC_FL_ flags")                                      \
  KIND(rw_flags, "RWF_ flags")                                                  \
  KIND(rename_flags, "RENAME_ flags")                                           \
  KIND(splice_flags, "SPLICE_F_ flags")                                         \
  KIND(sync_flags, "SYNC_FILE_RANGE_ flags")                                    \
  KIND(prot, "PROT_ flags")                                                     \
  KIND(map_flags, "MAP_ flags")                                                 \
  KIND(msync_flags, "MS_ flags")                                                \
  KIND(flock_op, "LOCK_ flags")                                                 \
  KIND(lockf_op, "F_LOCK and friends")                                          \
  KIND(fcntl_op, "F_ command")                                                  \
  KIND(buffering, "_IOFBF and friends")                                         \
  KIND(xattr_flags, "XATTR_ flags")                                             \
  KIND(lio_mode, "LIO_WAIT or LIO_NOWAIT")                                      \
  KIND(hex, "number kept as it is, printed in hexadecimal")                     \
  /* memory */                                                                  \
  KIND(data_in, "buffer the call reads")                                        \
  KIND(data_out, "buffer the call fills")                                       \
  KIND(moved_in, "buffer the call reads, with the bytes moved")                 \
  KIND(moved_out, "buffer the call fills, with the bytes moved")                \
  KIND(implied, "follows from another argument")                                \
  /* results */                                                                 \
  KIND(nothing, "no result")                                                    \
  KIND(status, "0, or -1 with errno")                                           \
  KIND(error_code, "0, or an error number")                                     \
  KIND(new_fd, "new file descriptor, or -1 with errno")                         \
  KIND(same_fd, "the descriptor of a stream or folder")                         \
  KIND(same_path, "the path, filled in, or NULL with errno")                    \
  KIND(new_stream, "new stdio stream, or NULL with errno")                      \
  KIND(new_dir, "new directory stream, or NULL with errno")                     \
  KIND(new_map, "address of a new mapping, or MAP_FAILED with errno")           \
  KIND(read_bytes, "bytes read, or -1 with errno")                              \
  KIND(written_bytes, "bytes written, or -1 with errno")                        \
  KIND(count, "number, or -1 with errno")                                       \
  KIND(items, "number of whole elements moved")                                 \
  KIND(text_end, "pointer to what was read, or NULL at the end")                \
  KIND(entry, "pointer to the next entry, or NULL at the end")                  \
  KIND(character, "a character, or EOF")                                        \
  KIND(eof_status, "0 or more, or EOF with errno")

// All of them; each library has a list of its own.
#define REFRAIN_KINDS(KIND)  \
  REFRAIN_SYSTEM_KINDS(KIND) \
  REFRAIN_MPI_KINDS(KIND)    \
  REFRAIN_HDF5_KINDS(KIND)

enum class Kind : uint8_t {
#define KIND(name, meaning) name,
  REFRAIN_KINDS(KIND)
#undef KIND
};

std::string_view kind_name(Kind kind);
std::string_view kind_meaning(Kind kind);

}  // namespace refrain::api
