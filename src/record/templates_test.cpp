#include "record/templates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace refrain::record {
namespace {

using trace::Template;

TEST(Templates, NamesOfALoopShareOneTemplate) {
  TemplateTable table;
  int64_t fields[Template::max_fields];
  auto first = table.find("out/part_00012.h5", fields);
  EXPECT_TRUE(first.fresh);
  EXPECT_EQ(first.fields, 2u);
  EXPECT_EQ(fields[0], 12);
  EXPECT_EQ(table.latest().fill(fields), "out/part_00012.h5");
  auto second = table.find("out/part_00013.h5", fields);
  EXPECT_FALSE(second.fresh);
  EXPECT_EQ(second.index, first.index);
  EXPECT_EQ(fields[0], 13);
}

TEST(Templates, NumbersThatOutgrowTheirPaddingStay) {
  TemplateTable table;
  int64_t fields[Template::max_fields];
  auto padded = table.find("f_099", fields);
  Template t = table.latest();
  auto grown = table.find("f_100", fields);
  EXPECT_EQ(grown.index, padded.index);
  EXPECT_EQ(t.fill(fields), "f_100");
  auto more = table.find("f_1000", fields);
  EXPECT_EQ(more.index, padded.index);
  EXPECT_EQ(t.fill(fields), "f_1000");
  auto fewer = table.find("f_1", fields);  // would print as f_001
  EXPECT_NE(fewer.index, padded.index);
}

TEST(Templates, AnyTextComesBack) {
  TemplateTable table;
  std::vector<Template> known;
  std::vector<std::string> asked;
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (size_t n = random() % 24; n > 0; --n) text += "0019a/_.%"[random() % 9];
    if (round % 100 == 0) text += std::string(30, '7');
    if (round % 250 == 0) text += std::string(100, 'x');
    if (round % 3 == 2) text = asked[asked.size() - 1 - random() % std::min<size_t>(asked.size(), 40)];
    asked.push_back(text);
    int64_t fields[Template::max_fields];
    auto found = table.find(text, fields);
    if (found.fresh) {
      ASSERT_EQ(found.index, known.size());
      known.push_back(table.latest());
    }
    ASSERT_EQ(known[found.index].fields(), found.fields) << text;
    ASSERT_EQ(known[found.index].fill(fields), text);
    std::vector<int64_t> parsed;
    ASSERT_EQ(Template::parse(text, parsed).fields(), found.fields) << text;
  }
}

}  // namespace
}  // namespace refrain::record
