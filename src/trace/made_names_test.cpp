#include "trace/made_names.hpp"

#include <gtest/gtest.h>

namespace refrain::trace {
namespace {

std::string filled(std::string_view path) {
  return with_made_names(path, [](uint32_t slot, uint32_t thread) {
    return "<" + std::to_string(slot) + " of " + std::to_string(thread) + ">";
  });
}

TEST(MadeNames, StandBetweenTheirMarks) {
  EXPECT_EQ(filled("plain/path"), "plain/path");
  EXPECT_EQ(filled("part_\0010\002"), "part_<0 of 0>");
  EXPECT_EQ(filled("a\00112,3\002/b\0014\0025.txt"), "a<12 of 3>/b<4 of 0>5.txt");
}

TEST(MadeNames, AMarkOfThePathItselfStandsTwice) {
  EXPECT_EQ(filled("mark_\001\0010\002"), "mark_\0010\002");
  EXPECT_EQ(filled("\001\001"), "\001");
}

TEST(MadeNames, AnythingElseIsText) {
  for (std::string_view text :
       {"\001", "\0017", "\0017,", "\0017,\002", "\001x\002", "\002", "\00199999999999\002"})
    EXPECT_EQ(filled(text), text);
}

}  // namespace
}  // namespace refrain::trace
