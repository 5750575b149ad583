#include "plan/links.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

TEST(Links, LeadWhereTheKernelOfTheSystemGoes) {
  Links links;
  EXPECT_EQ(links.resolve("", "a//b/./c/", true), "a/b/c");
  links.make("current", "run/7");
  links.make("run/7/up", "../..");
  links.make("top", "/");
  links.make("loop", "loop");
  EXPECT_EQ(links.resolve("", "current/out", true), "run/7/out");
  EXPECT_EQ(links.resolve("", "current/../out", true), "run/out");  // not "out"
  EXPECT_EQ(links.resolve("run", "../current", true), "run/7");
  EXPECT_EQ(links.resolve("run", "../current", false), "current");
  EXPECT_EQ(links.resolve("", "current/up/x", true), "x");
  EXPECT_EQ(links.resolve("run", "/top/run", true), "run");
  EXPECT_EQ(links.resolve("", "../../x", true), "x");
  EXPECT_EQ(links.resolve("run", "..", true), ".");
  EXPECT_EQ(links.resolve("", "loop/x", true), "loop/x");
  links.remove("current");
  EXPECT_EQ(links.resolve("", "current/../out", true), "out");
}

}  // namespace
}  // namespace refrain::plan
