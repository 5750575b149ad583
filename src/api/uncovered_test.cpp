#include "api/uncovered.hpp"

#include <gtest/gtest.h>

namespace refrain::api {
namespace {

TEST(Uncovered, PatternsMatchWholeNames) {
  EXPECT_TRUE(is_like("MPI_Send", "MPI_Send"));
  EXPECT_FALSE(is_like("MPI_Send_init", "MPI_Send"));
  EXPECT_TRUE(is_like("MPI_Send_init", "MPI_*"));
  EXPECT_TRUE(is_like("MPI_Comm_c2f", "MPI_*_c2f"));
  EXPECT_FALSE(is_like("MPI_c2f", "MPI_*_c2f"));
  EXPECT_TRUE(is_like("H5Pset_elink_cb", "H5*_cb"));
  EXPECT_TRUE(is_like("", "*"));
  EXPECT_TRUE(is_like("abcabd", "*ab*d"));
  EXPECT_FALSE(is_like("abc", "*ab*d"));
}

TEST(Uncovered, ReasonsAreGivenByFamilies) {
  EXPECT_EQ(reason_uncovered("MPI_Isend"), "message passing");
  EXPECT_EQ(reason_uncovered("MPI_Win_lock"), "one-sided communication");
  EXPECT_EQ(reason_uncovered("MPI_File_write_at_all"), "");
  EXPECT_EQ(reason_uncovered("H5Dwrite"), "");
  EXPECT_EQ(reason_uncovered("H5Pset_fapl_mpio"), "");
  EXPECT_EQ(reason_uncovered("H5Dwrite_async"), "");
  EXPECT_FALSE(reason_uncovered("H5Mput_async").empty());
}

}  // namespace
}  // namespace refrain::api
