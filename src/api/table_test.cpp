#include "api/table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

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
