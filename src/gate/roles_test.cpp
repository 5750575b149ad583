#include "gate/roles.hpp"

#include <gtest/gtest.h>

namespace refrain::gate {
namespace {

Role role(std::string_view name) {
  for (const api::Row& row : api::rows())
    if (row.name == name) return role_of(row);
  ADD_FAILURE() << "no row is named " << name;
  return Role::none;
}

TEST(GateRoles, transfers_wait) {
  for (const char* name : {"read",
                           "pwrite",
                           "readv",
                           "pwritev2",
                           "sendfile",
                           "copy_file_range",
                           "dprintf",
                           "fread",
                           "fwrite",
                           "fprintf",
                           "fputc",
                           "fgets",
                           "aio_write",
                           "lio_listio",
                           "MPI_File_write_at_all",
                           "MPI_File_iread",
                           "MPI_File_write_ordered_begin",
                           "MPI_File_read_all_end",
                           "H5Dwrite",
                           "H5Dread",
                           "H5Dread_chunk",
                           "H5FDwrite"})
    EXPECT_EQ(role(name), Role::transfer) << name;
}

TEST(GateRoles, nobody_waits_to_open_to_name_or_to_ask) {
  for (const char* name : {"open",       "openat",
                           "fopen",      "MPI_File_open",
                           "H5Fopen",    "H5Fcreate",
                           "H5Dcreate2", "stat",
                           "lseek",      "ftruncate",
                           "unlink",     "mmap",
                           "ungetc",     "MPI_File_set_view",
                           "MPI_Wait",   "MPI_Testall",
                           "aio_error",  "H5Awrite",
                           "H5Dgather",  "H5Dscatter",
                           "H5Dfill",    "MPI_File_close",
                           "H5Fclose"})
    EXPECT_EQ(role(name), Role::none) << name;
}

TEST(GateRoles, what_brings_data_to_the_disk_belongs_to_the_phase) {
  for (const char* name : {"fsync", "fdatasync", "sync_file_range", "fflush", "MPI_File_sync"})
    EXPECT_EQ(role(name), Role::sync) << name;
}

TEST(GateRoles, closing_is_seen) {
  for (const char* name : {"close", "dup2", "dup3", "fclose", "freopen"})
    EXPECT_EQ(role(name), Role::release) << name;
}

}  // namespace
}  // namespace refrain::gate
