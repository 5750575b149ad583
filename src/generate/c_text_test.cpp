#include "generate/c_text.hpp"

#include <gtest/gtest.h>

namespace refrain::generate {
namespace {

TEST(CText, NothingEndsAStringEarly) {
  EXPECT_EQ(c_string("plain"), "\"plain\"");
  EXPECT_EQ(c_string("a\"b\\"), "\"a\\\"b\\\\\"");
  EXPECT_EQ(c_string("line\nend"), "\"line\\nend\"");
  EXPECT_EQ(c_string("\377\0011"), "\"\\377\\0011\"");
  EXPECT_EQ(c_string("?\?/?\?="), "\"?\\?/?\\?=\"");
}

TEST(CText, LongStringsBecomeArrays) {
  std::string text = c_string(std::string(5000, 'x'));
  EXPECT_TRUE(text.starts_with("(const char[]){(char)120,"));
  EXPECT_TRUE(text.ends_with(",0}"));
}

TEST(CText, FormatsHoldNoConversions) { EXPECT_EQ(format_text("100% %s"), "100%% %%s"); }

TEST(CText, NothingEndsACommentEarly) {
  for (const char* text : {"*/", "/*", "*\\", "**//", "/\n*", "?\?/", "\\"}) {
    std::string comment = comment_text(text);
    EXPECT_EQ(comment.find("*/"), std::string::npos) << comment;
    EXPECT_EQ(comment.find("/*"), std::string::npos) << comment;
    EXPECT_EQ(comment.find("??"), std::string::npos) << comment;
    EXPECT_EQ(comment.find('\n'), std::string::npos) << comment;
    EXPECT_EQ(comment.find('\\'), std::string::npos) << comment;
  }
}

TEST(CText, Identifiers) {
  EXPECT_EQ(identifier("vpic.h5part"), "vpic_h5part");
  EXPECT_EQ(identifier("--A b!"), "a_b");
  EXPECT_EQ(identifier("\377"), "");
  EXPECT_EQ(identifier("abcdef", 3), "abc");
}

}  // namespace
}  // namespace refrain::generate
