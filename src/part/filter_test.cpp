#include "part/filter.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace refrain::record {
namespace {

TEST(Filter, StarsKnowComponents) {
  EXPECT_TRUE(matches("/a/*.dat", "/a/x.dat"));
  EXPECT_FALSE(matches("/a/*.dat", "/a/b/x.dat"));
  EXPECT_TRUE(matches("/a/**.dat", "/a/b/x.dat"));
  EXPECT_TRUE(matches("/a/**/x", "/a/b/c/x"));
  EXPECT_TRUE(matches("**", ""));
  EXPECT_TRUE(matches("*.h5", "run.h5"));
  EXPECT_FALSE(matches("*.h5", "dir/run.h5"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_FALSE(matches("a?c", "a/c"));
  EXPECT_TRUE(matches("**a*b", "xxa/yya1b"));
  EXPECT_FALSE(matches("abc", "abcd"));
}

TEST(Filter, LongPatternsStayQuick) {
  std::string path(4000, 'a');
  EXPECT_FALSE(matches("**a**a**a**a**a**a**a*a*a*b", path));
}

TEST(Filter, LaterRulesWin) {
  Filter plain;
  EXPECT_EQ(plain.judge("/home/me/data"), Filter::Verdict::ordinary);
  EXPECT_EQ(plain.judge("/proc/self/maps"), Filter::Verdict::excluded);
  EXPECT_EQ(plain.judge("/dev/null"), Filter::Verdict::excluded);
  EXPECT_EQ(plain.judge("/process/x"), Filter::Verdict::ordinary);
  EXPECT_EQ(plain.judge("run/app.rfn.parts/x.part"), Filter::Verdict::excluded);
  EXPECT_EQ(plain.judge("/tmp/ompi.node7.1000/pid.42/0/x"), Filter::Verdict::excluded);
  EXPECT_EQ(plain.judge("/usr/lib/openmpi/lib/openmpi3/mca_io_ompio.so"), Filter::Verdict::excluded);
  EXPECT_EQ(plain.judge("/etc/ucx/ucx.conf"), Filter::Verdict::excluded);
  EXPECT_EQ(plain.judge("/home/me/openmpi/data"), Filter::Verdict::ordinary);
  std::string setting = encoded_rules("+/a b/*\n-%2a\n");
  EXPECT_EQ(setting, "+/a%20b/%2a%0a-%252a%0a");
  EXPECT_EQ(decode_rules(setting.data()), "+/a b/*\n-%2a\n");
  Filter filter;
  filter.set_rules("+/dev/shm/**\n-/usr/**\n+/usr/share/data/*\n");
  EXPECT_EQ(filter.judge("/dev/shm/x"), Filter::Verdict::included);
  EXPECT_EQ(filter.judge("/usr/lib/x"), Filter::Verdict::excluded);
  EXPECT_EQ(filter.judge("/usr/share/data/x"), Filter::Verdict::included);
}

TEST(Filter, GoesOnFromAFolder) {
  auto from = [](const char* folder, const char* path) {
    char whole[32];
    std::snprintf(whole, sizeof whole, "%s", folder);
    return append_path(whole, sizeof whole, path) ? std::string(whole) : "no room";
  };
  EXPECT_EQ(from("/usr/lib", "openmpi/x"), "/usr/lib/openmpi/x");
  EXPECT_EQ(from("/proc/self", "..//./../data"), "/data");
  EXPECT_EQ(from("/", "proc"), "/proc");
  EXPECT_EQ(from("/a", "../../.."), "/");
  EXPECT_EQ(from("/a", ""), "/a");
  EXPECT_EQ(from("/a", "0123456789012345678901234567"), "/a/0123456789012345678901234567");
  EXPECT_EQ(from("/a", "01234567890123456789012345678"), "no room");
}

TEST(Filter, LeavesOutWhatPythonNeedsItself) {
  Filter filter;
  filter.set_program("python3.11");
  for (const char* own :
       {"/usr/lib/python3.11/os.py", "script.py", "/home/me/a/__pycache__/b.cpython-311.pyc",
        "/usr/lib/python3/dist-packages", "/venv/pyvenv.cfg", "/usr/bin/python3"})
    EXPECT_EQ(filter.judge(own), Filter::Verdict::excluded) << own;
  for (const char* data : {"data.csv", "/home/me/python.txt", "results/py.h5", "/scratch/pythonic/x"})
    EXPECT_EQ(filter.judge(data), Filter::Verdict::ordinary) << data;
  filter.set_rules("+**/*.py\n");
  EXPECT_EQ(filter.judge("a/script.py"), Filter::Verdict::included);
  filter.set_rules("@all-files\n-/tmp/**\n");
  filter.set_program("python3.11");
  EXPECT_EQ(filter.judge("/usr/lib/python3.11/os.py"), Filter::Verdict::ordinary);
  EXPECT_EQ(filter.judge("/tmp/x"), Filter::Verdict::excluded);
  filter.set_rules("");
  filter.set_program("pythonize");
  EXPECT_EQ(filter.judge("script.py"), Filter::Verdict::ordinary);
}

}  // namespace
}  // namespace refrain::record
