#include "exchange/strace_line.hpp"

#include <gtest/gtest.h>

namespace refrain::exchange {
namespace {

StraceLine parsed(std::string_view text) {
  auto line = parse_strace_line(text);
  EXPECT_TRUE(line) << (line ? "" : line.error().message);
  EXPECT_TRUE(line && *line) << text;
  return line && *line ? **line : StraceLine{};
}

TEST(StraceLine, AnOpenWithTime) {
  StraceLine l = parsed(R"~(1700000000.123456 openat(AT_FDCWD</home/u>, "a,b)\"c", O_RDONLY|O_CLOEXEC))~"
                        R"~( = 3</home/u/a,b)"c> <0.000021>)~");
  EXPECT_EQ(l.start_ns, 1700000000123456000u);
  EXPECT_EQ(l.duration_ns, 21000u);
  EXPECT_EQ(l.name, "openat");
  ASSERT_EQ(l.arguments.size(), 3u);
  EXPECT_EQ(l.arguments[0], "AT_FDCWD</home/u>");
  EXPECT_EQ(l.arguments[1], R"~("a,b)\"c")~");
  EXPECT_EQ(l.arguments[2], "O_RDONLY|O_CLOEXEC");
  EXPECT_EQ(l.result, 3);
  EXPECT_EQ(l.result_path, "/home/u/a,b)\"c");
}

TEST(StraceLine, ErrorsStructuresAndPipes) {
  StraceLine l = parsed(R"(1.5 openat(AT_FDCWD</>, "x", O_RDONLY) = -1 ENOENT (No such file or directory))");
  EXPECT_EQ(l.error, "ENOENT");
  EXPECT_EQ(l.start_ns, 1500000000u);
  l = parsed(
      R"(2.0 pwritev(4</f>, [{iov_base="ab", iov_len=2}, {iov_base="c", iov_len=1}], 2, 100) = 3 <0.1>)");
  ASSERT_EQ(l.arguments.size(), 4u);
  EXPECT_EQ(l.arguments[1], R"([{iov_base="ab", iov_len=2}, {iov_base="c", iov_len=1}])");
  EXPECT_EQ(l.duration_ns, 100000000u);
  l = parsed(R"(2.0 read(0<pipe:[123]>, "", 10) = 0)");
  auto shown = parse_descriptor(l.arguments[0]);
  ASSERT_TRUE(shown);
  EXPECT_FALSE(shown->is_file());
  EXPECT_EQ(parsed("3.0 getpid() = 7").arguments.size(), 0u);
  EXPECT_EQ(parsed("3.0 mmap(NULL, 8, PROT_READ, MAP_SHARED, 3</a>, 0) = 0xffff8").result, 0);
}

TEST(StraceLine, WhatIsNoCallIsPassedOver) {
  for (const char* text : {"1.0 +++ exited with 0 +++", "1.0 --- SIGCHLD {si_signo=SIGCHLD} ---",
                           "1.0 exit_group(0 <unfinished ...>", "1.0 <... read resumed>) = 3"}) {
    auto line = parse_strace_line(text);
    ASSERT_TRUE(line) << text;
    EXPECT_FALSE(*line) << text;
  }
}

TEST(StraceLine, BadLinesGetAReason) {
  for (const char* text : {"open(\"a\") = 3", "1.0 hello", "1.0 open(\"a\", 3", "1.0 open(\"a\")",
                           "1.0 close(3) = x", "1.x close(3) = 0", "-1.0 close(3) = 0", "1.0 (3) = 0"}) {
    auto line = parse_strace_line(text);
    ASSERT_FALSE(line) << text;
    EXPECT_FALSE(line.error().message.empty());
  }
  EXPECT_FALSE(parse_descriptor("x</a>"));
  EXPECT_FALSE(parse_descriptor(""));
}

}  // namespace
}  // namespace refrain::exchange
