#include "api/names.hpp"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include "base/bit_cast.hpp"

namespace refrain::api {
namespace {

TEST(Names, PrintsFlagsByNameInAFixedOrder) {
  EXPECT_EQ(name_of(Kind::open_flags, O_RDONLY), "O_RDONLY");
  EXPECT_EQ(name_of(Kind::open_flags, O_TRUNC | O_CREAT | O_WRONLY), "O_WRONLY|O_CREAT|O_TRUNC");
  EXPECT_EQ(name_of(Kind::open_flags, O_RDWR | O_SYNC), "O_RDWR|O_SYNC");
  EXPECT_EQ(name_of(Kind::open_flags, O_RDWR | O_DSYNC), "O_RDWR|O_DSYNC");
  EXPECT_EQ(name_of(Kind::open_flags, O_RDONLY | O_DIRECTORY), "O_RDONLY|O_DIRECTORY");
  EXPECT_EQ(name_of(Kind::open_flags, O_WRONLY | O_TMPFILE), "O_WRONLY|O_TMPFILE");
  EXPECT_EQ(name_of(Kind::whence, SEEK_END), "SEEK_END");
  EXPECT_EQ(name_of(Kind::whence, 77), "0x4d");
  EXPECT_EQ(name_of(Kind::mode, 0644), "0644");
  EXPECT_EQ(name_of(Kind::mode, 0), "0");
  EXPECT_EQ(name_of(Kind::access_mode, F_OK), "F_OK");
  EXPECT_EQ(name_of(Kind::access_mode, R_OK | X_OK), "R_OK|X_OK");
  EXPECT_EQ(name_of(Kind::map_flags, MAP_SHARED | MAP_POPULATE), "MAP_SHARED|MAP_POPULATE");
  EXPECT_EQ(name_of(Kind::map_flags, MAP_PRIVATE), "MAP_PRIVATE");
}

TEST(Names, UnknownBitsSurviveARoundTrip) {
  for (Kind kind : {Kind::open_flags, Kind::at_flags, Kind::prot, Kind::map_flags, Kind::mode, Kind::hex,
                    Kind::msync_flags, Kind::rw_flags, Kind::sync_flags, Kind::whence, Kind::fcntl_op})
    for (uint64_t bit = 0; bit < 32; ++bit)
      for (uint64_t base : {0u, 2u, 64u, 4096u}) {
        uint64_t value = base | (uint64_t{1} << bit);
        auto text = name_of(kind, value);
        EXPECT_EQ(value_of(kind, text), value) << facts_of(kind).name << " " << text;
      }
  EXPECT_FALSE(value_of(Kind::open_flags, "O_NONSENSE"));
}

TEST(Names, OfHdf5WorkWithoutItsHeaders) {
  EXPECT_EQ(name_of(Kind::h5_access, 0), "H5F_ACC_RDONLY");
  EXPECT_EQ(name_of(Kind::h5_access, 2), "H5F_ACC_TRUNC");
  EXPECT_EQ(name_of(Kind::h5_access, 0x21), "H5F_ACC_RDWR|H5F_ACC_SWMR_WRITE");
  EXPECT_EQ(name_of(Kind::h5_access, 0xffff), "H5F_ACC_DEFAULT");
  EXPECT_EQ(name_of(Kind::h5_layout, 2), "H5D_CHUNKED");
  EXPECT_EQ(name_of(Kind::h5_id_type, static_cast<uint32_t>(-1)), "H5I_BADID");
  EXPECT_EQ(name_of(Kind::h5_filter, 32015), "32015");
  EXPECT_EQ(name_of(Kind::h5_bool, 1), "true");
  EXPECT_EQ(name_of(Kind::h5_real, bit_cast<uint64_t>(0.75)), "0.75");
  for (double number : {0.1, -1e300, 0.0, 3.0})
    EXPECT_EQ(value_of(Kind::h5_real, name_of(Kind::h5_real, bit_cast<uint64_t>(number))),
              bit_cast<uint64_t>(number));
  EXPECT_FALSE(value_of(Kind::h5_real, "0.5x"));
  for (Kind kind :
       {Kind::h5_access, Kind::h5_copy_flags, Kind::h5_filter, Kind::h5_bool, Kind::h5_type_class})
    for (uint64_t value = 0; value < 70; ++value)
      EXPECT_EQ(value_of(kind, name_of(kind, value)), value) << facts_of(kind).name << " " << value;
}

TEST(Names, ErrorsHaveTheirNames) {
  EXPECT_EQ(errno_name(ENOENT), "ENOENT");
  EXPECT_EQ(errno_name(4711), "errno 4711");
}

TEST(Names, OfMpi) {
  EXPECT_EQ(name_of(Kind::amode, 1 | 8), "MPI_MODE_CREATE|MPI_MODE_RDWR");
  EXPECT_EQ(name_of(Kind::out_amode, 2), "MPI_MODE_RDONLY");
  EXPECT_EQ(name_of(Kind::mpi_whence, 604), "MPI_SEEK_END");
  EXPECT_EQ(name_of(Kind::split_type, static_cast<uint32_t>(-32766)), "MPI_UNDEFINED");
  EXPECT_EQ(value_of(Kind::thread_level, "MPI_THREAD_MULTIPLE"), 3u);
  EXPECT_EQ(mpi_error_name(42), "MPI_ERR_NO_SUCH_FILE");
  EXPECT_EQ(mpi_error_name(4711), "MPI error 4711");
}

}  // namespace
}  // namespace refrain::api
