#include "api/mpi/mpi_library.hpp"

#include <gtest/gtest.h>

#include <set>

#include "api/names.hpp"

namespace refrain::api {
namespace {

const MpiLibrary& library(std::string_view name) {
  for (const MpiLibrary& l : mpi_libraries())
    if (l.name == name) return l;
  ADD_FAILURE() << name;
  return mpi_libraries()[0];
}

TEST(MpiLibrary, IsFoundByWhatItSays) {
  EXPECT_EQ(find_mpi_library("Open MPI v4.1.4, package: Debian", "/usr/lib/libmpi.so.40")->name, "Open MPI");
  EXPECT_EQ(find_mpi_library("MPICH Version:\t4.0.2\n", "libmpich.so.12")->name, "MPICH");
  EXPECT_EQ(find_mpi_library("Intel(R) MPI Library 2021.9", "libmpi.so.12")->name, "MPICH");
  EXPECT_EQ(find_mpi_library("MPI VERSION    : CRAY MPICH version 8.1", "libmpi_cray.so.12")->name, "MPICH");
  EXPECT_EQ(find_mpi_library("MVAPICH Version", "libmpi.so.12")->name, "MPICH");
  EXPECT_EQ(find_mpi_library("HPE MPI", "libmpi.so"), nullptr);
  EXPECT_EQ(find_mpi_library("", ""), nullptr);
}

TEST(MpiLibrary, OfTheStandardsInterfaceIsFoundByItsFile) {
  for (const char* version : {"MPICH Version:\t5.0", "Open MPI v6.0"})
    EXPECT_EQ(find_mpi_library(version, "/opt/lib/libmpi_abi.so.1")->file, std::string_view("libmpi_abi"));
}

TEST(MpiLibrary, ConstantsAreTranslatedThereAndBack) {
  for (const MpiLibrary& l : mpi_libraries()) {
    for (const MpiLibrary::Constant& c : l.constants) {
      auto named = static_cast<int32_t>(value_of(c.kind, c.name).value());
      EXPECT_EQ(l.to_named(c.kind, c.value), named) << l.name << ' ' << c.name;
      EXPECT_EQ(l.from_named(c.kind, named), c.value) << l.name << ' ' << c.name;
    }
    EXPECT_EQ(l.to_named(Kind::split_type, -32766), -32766);  // MPI_UNDEFINED, the same everywhere
  }
}

TEST(MpiLibrary, FlagsAreTranslatedOneByOne) {
  const MpiLibrary& standard = library("the MPI standard's ABI");
  int64_t here = standard.from_named(Kind::amode, 1 | 4);  // MPI_MODE_CREATE | MPI_MODE_WRONLY
  EXPECT_EQ(here, 2 | 256);
  EXPECT_EQ(name_of(Kind::amode, static_cast<uint64_t>(standard.to_named(Kind::amode, here))),
            "MPI_MODE_CREATE|MPI_MODE_WRONLY");
  EXPECT_EQ(standard.to_named(Kind::out_amode, 2), 1);  // what a call tells has the same names
  EXPECT_EQ(library("MPICH").to_named(Kind::amode, 1 | 4), 1 | 4);
}

TEST(MpiLibrary, TablesAreWhole) {
  for (const MpiLibrary& l : mpi_libraries()) {
    ASSERT_EQ(l.places.size(), mpi_handle_names().size());
    std::set<std::string_view> there;
    for (size_t i = 0; i < l.places.size(); ++i)
      if (l.places[i].is_value || l.places[i].variable != nullptr) there.insert(mpi_handle_names()[i].name);
    for (const char* name :
         {"MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_COMM_NULL", "MPI_INFO_NULL", "MPI_BYTE", "MPI_FILE_NULL",
          "MPI_REQUEST_NULL", "MPI_ERRORS_RETURN", "MPI_DOUBLE", "MPI_SUM"})
      EXPECT_TRUE(there.contains(name)) << l.name << ' ' << name;
    EXPECT_EQ(l.makers.size(), 15u);
  }
}

}  // namespace
}  // namespace refrain::api
