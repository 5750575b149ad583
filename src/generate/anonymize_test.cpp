#include "generate/anonymize.hpp"

#include <gtest/gtest.h>

#include <set>

namespace refrain::generate {
namespace {

TEST(NeutralWords, KeepLengthsStructureAndCollisions) {
  NeutralWords words;
  std::string first = words.text("/secret/warhead_03.h5");
  EXPECT_EQ(first.size(), std::string("/secret/warhead_03.h5").size());
  EXPECT_EQ(first.find("warhead"), std::string::npos);
  EXPECT_EQ(first[0], '/');
  EXPECT_EQ(first[7], '/');
  EXPECT_NE(first.find("_03."), std::string::npos);
  EXPECT_EQ(words.text("/secret/warhead_03.h5"), first);
  EXPECT_NE(words.text("/secret/warhaed_03.h5"), first);
  EXPECT_EQ(words.text("../."), "../.");
}

TEST(NeutralWords, ManyShortWordsStayDifferent) {
  NeutralWords words;
  std::set<std::string> seen;
  for (char a = 'a'; a <= 'z'; ++a)
    for (char b = 'a'; b <= 'z'; ++b) seen.insert(words.text(std::string{a, b}));
  EXPECT_EQ(seen.size(), 26u * 26u);
}

}  // namespace
}  // namespace refrain::generate
