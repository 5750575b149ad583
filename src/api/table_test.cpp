#include "api/table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "api/hdf5/id_types.hpp"
#include "api/steps.hpp"

namespace refrain::api {
namespace {

TEST(Table, NamesAndSymbolsAreUnique) {
  std::set<std::string_view> seen;
  for (const Row& r : rows()) EXPECT_TRUE(seen.insert(r.name).second) << r.name;
  for (const Alias& a : aliases()) EXPECT_TRUE(seen.insert(a.symbol).second) << a.symbol;
}

TEST(Table, EveryAliasLeadsToARowOfItsLayer) {
  for (const Alias& a : aliases()) {
    bool found = false;
    for (const Row& r : rows()) found |= r.name == a.function && r.layer == a.layer;
    EXPECT_TRUE(found) << a.symbol;
  }
}

TEST(Table, RowsKnowSinceWhenTheirFunctionsExist) {
  EXPECT_EQ(since(RowId::hdf5_H5Dwrite), "");
  EXPECT_EQ(since(RowId::hdf5_H5Oget_info3), "1.12");
  EXPECT_EQ(since(RowId::hdf5_H5Dwrite_multi), "1.14");
  EXPECT_EQ(since(RowId::posix_pwrite), "");
  EXPECT_EQ(since(RowId::mpiio_MPI_File_write_at_c), "4.0");
  EXPECT_EQ(since(RowId::mpi_MPI_Type_contiguous_c), "4.0");
  EXPECT_EQ(since(RowId::mpiio_MPI_File_write_at), "");
  EXPECT_TRUE(row(RowId::hdf5_H5Dwrite_async).placed);
  EXPECT_FALSE(row(RowId::hdf5_H5Dwrite).placed);
  // The functions behind a line that says a version, and no others.
  EXPECT_EQ(since(RowId::netcdf_nc_open), "");
}

TEST(Table, AsynchronousFunctionsTakeWhatTheOthersTakeAndAnEventSet) {
  auto one = row(RowId::hdf5_H5Dwrite).arguments, other = row(RowId::hdf5_H5Dwrite_async).arguments;
  ASSERT_EQ(other.size(), one.size() + 1);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].kind, other[i].kind);
  EXPECT_EQ(other.back().kind, Kind::h5_event_set);
}

TEST(Table, VariantsOfFunctionsHaveTheirTraits) {
  for (const Row& row : rows()) {
    for (std::string_view ending : {"_c", "_async"}) {
      if (!row.name.ends_with(ending)) continue;
      const Row* plain = find_row(row.name.substr(0, row.name.size() - ending.size()));
      // Whether there is an object, they say by their result, or later.
      if (plain == nullptr || plain->traits.has(Trait::looks_for_object)) continue;
      EXPECT_TRUE(row.traits == plain->traits) << row.name;
    }
  }
}

TEST(Table, CollectiveTransfersSaySo) {
  for (const Row& row : rows()) {
    if (row.layer != "pnetcdf" || row.group != "data") continue;
    EXPECT_EQ(row.traits.has(Trait::moves_together), row.name.ends_with("_all")) << row.name;
  }
}

TEST(IdTypes, NumbersOfLaterVersionsAreTranslatedBothWays) {
  EXPECT_EQ(id_type_in_traces(6, false), 6);  // H5I_ATTR of 1.10
  EXPECT_EQ(id_type_in_traces(7, true), 6);   // and since 1.12
  EXPECT_EQ(id_type_in_library(6, true), 7);
  for (int64_t number = -1; number <= 40; ++number) {
    if (number == 0) continue;
    EXPECT_EQ(id_type_in_library(id_type_in_traces(number, true), true), number) << number;
    EXPECT_EQ(id_type_in_library(id_type_in_traces(number, false), false), number) << number;
  }
}

TEST(Steps, TextsNameArgumentsOfTheirRows) {
  for (const Row& r : rows()) {
    std::string_view text = steps_of(r.name).text;
    std::set<std::string_view> known = {"result", "bytes", "made", "call", ""};
    for (const Argument& a : r.arguments) known.insert(a.name);
    for (size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
      std::string_view name = text.substr(at + 1, text.find('}', at) - at - 1);
      if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") != name.npos) continue;  // C
      EXPECT_TRUE(known.contains(name)) << r.name << ": " << name;
    }
  }
}

TEST(Table, RowsStandAtTheirNumber) {
  for (size_t i = 0; i < rows().size(); ++i) EXPECT_EQ(static_cast<size_t>(rows()[i].id), i);
  EXPECT_EQ(row(RowId::posix_pwrite).name, "pwrite");
  ASSERT_EQ(row(RowId::posix_pwrite).arguments.size(), 4u);
  EXPECT_EQ(row(RowId::posix_pwrite).arguments[3].kind, Kind::offset);
  EXPECT_EQ(row(RowId::posix_pwrite).result, Kind::written_bytes);
  EXPECT_TRUE(row(RowId::posix_sync).arguments.empty());
}

TEST(Table, CoversWhatProgramsCall) {
  std::set<std::string> symbols;
  for (const Row& r : rows()) symbols.insert(std::string(r.name));
  for (const Alias& a : aliases()) symbols.insert(std::string(a.symbol));
  for (const char* name :
       {"open",          "open64",        "openat",  "creat",     "__open_2",        "pread64",
        "pwritev2",      "statx",         "__xstat", "renameat2", "copy_file_range", "aio_read",
        "lio_listio",    "posix_fadvise", "mmap",    "msync",     "fopen64",         "getline",
        "__fprintf_chk", "setvbuf",       "tmpfile", "fseeko",    "readdir"})
    EXPECT_TRUE(symbols.contains(name)) << name;
}

}  // namespace
}  // namespace refrain::api
