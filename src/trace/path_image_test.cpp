#include "trace/path_image.hpp"

#include <gtest/gtest.h>

namespace refrain::trace {
namespace {

TEST(PathImage, RelativePathsStayAsTheyAre) {
  for (const char* path : {"", "a", "out/part_1", "a//b/", "./a", "..a/b..", "a/...", "."})
    EXPECT_EQ(path_image(path), path);
}

TEST(PathImage, AbsolutePathsLoseTheirSlash) {
  EXPECT_EQ(path_image("/scratch/out.h5"), "scratch/out.h5");
  EXPECT_EQ(path_image("//scratch/./out.h5/"), "scratch/out.h5");
  EXPECT_EQ(path_image("/"), ".");
}

TEST(PathImage, NothingLeaves) {
  EXPECT_EQ(path_image("a/../b"), "b");
  EXPECT_EQ(path_image("../../etc/passwd"), "etc/passwd");
  EXPECT_EQ(path_image("/a/../../b"), "b");
  EXPECT_EQ(path_image(".."), ".");
  EXPECT_EQ(path_image("a/.."), ".");
}

TEST(PathImage, BelowARootIsRelativeToIt) {
  EXPECT_EQ(path_image("/tmp/root/scratch/x", "/tmp/root/"), "scratch/x");
  EXPECT_EQ(path_image("/tmp/root", "/tmp/root"), ".");
  EXPECT_EQ(path_image("/tmp/rooted/x", "/tmp/root"), "tmp/rooted/x");
  EXPECT_EQ(path_image("tmp/root/x", "/tmp/root"), "tmp/root/x");
}

TEST(PathImage, HasOnePlainSpelling) {
  for (const char* path : {"a/b", "/a/b", "a//b/", "./a/./b", "a/c/../b"})
    EXPECT_EQ(plain_image(path), "a/b");
  EXPECT_EQ(plain_image("./"), ".");
  EXPECT_EQ(plain_image(""), "");
}

}  // namespace
}  // namespace refrain::trace
