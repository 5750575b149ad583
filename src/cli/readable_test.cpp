#include "cli/readable.hpp"

#include <gtest/gtest.h>

namespace refrain::cli {
namespace {

TEST(Readable, GroupsDigitsByThrees) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Readable, CountsWithTheRightWord) {
  EXPECT_EQ(counted(0, "process", "processes"), "0 processes");
  EXPECT_EQ(counted(1, "process", "processes"), "1 process");
  EXPECT_EQ(counted(1000, "call", "calls"), "1,000 calls");
}

TEST(Readable, BytesKeepThreeDigits) {
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.00 KB");
  EXPECT_EQ(bytes_text(9999), "10.0 KB");
  EXPECT_EQ(bytes_text(131072), "131 KB");
  EXPECT_EQ(bytes_text(999'600), "1.00 MB");
  EXPECT_EQ(bytes_text(UINT64_MAX), "18.4 EB");
}

TEST(Readable, DurationsChangeUnit) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(1500), "1.50 us");
  EXPECT_EQ(duration_text(12'345'678), "12.3 ms");
  EXPECT_EQ(duration_text(99'000'000'000), "99.0 s");
  EXPECT_EQ(duration_text(125'000'000'000), "2 min 05 s");
  EXPECT_EQ(duration_text(7'260'000'000'000), "2 h 01 min");
}

TEST(Readable, PrintableHidesEverythingATerminalWouldAct) {
  EXPECT_EQ(printable("plain text~"), "plain text~");
  EXPECT_EQ(printable("a\x1b[2J\n\xff"), "a\\x1b[2J\\x0a\\xff");
}

TEST(Readable, TableAlignsAndTrims) {
  Table table;
  table.row({"read", "12", "3 B"});
  table.row({"pwrite", "1"});
  EXPECT_EQ(table.text("  "), "  read    12  3 B\n  pwrite   1\n");
}

TEST(Readable, ClosestFindsTyposOnly) {
  std::vector<std::string> names{"record", "info", "dump", "merge"};
  EXPECT_EQ(closest("recrod", names), "record");
  EXPECT_EQ(closest("dmp", names), "dump");
  EXPECT_EQ(closest("inof", names), "");
  EXPECT_EQ(closest("explode", names), "");
  EXPECT_EQ(closest("", names), "");
}

}  // namespace
}  // namespace refrain::cli
