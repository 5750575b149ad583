// A template is only a way to write a string: splitting and filling must give back every byte.
#include "trace/template.hpp"

#include <gtest/gtest.h>

#include <random>

namespace refrain::trace {
namespace {

std::string there_and_back(std::string_view text) {
  std::vector<int64_t> fields;
  Template t = Template::parse(text, fields);
  EXPECT_EQ(fields.size(), t.fields());
  EXPECT_EQ(t.literals.size(), t.fields() + 1);
  return t.fill(fields.data());
}

TEST(Template, SplitsNumbersAndKeepsLeadingZeros) {
  std::vector<int64_t> fields;
  Template t = Template::parse("out/part_00042.h5", fields);
  EXPECT_EQ(t.literals, (std::vector<std::string>{"out/part_", ".h", ""}));
  EXPECT_EQ(t.widths, (std::vector<uint8_t>{5, 0}));
  EXPECT_EQ(fields, (std::vector<int64_t>{42, 5}));
  const int64_t other[] = {123456, 6};
  EXPECT_EQ(t.fill(other), "out/part_123456.h6");
}

TEST(Template, NamesThatDifferInNumbersShareATemplate) {
  std::vector<int64_t> fields;
  EXPECT_EQ(Template::parse("step7/r10", fields), Template::parse("step12/r9", fields));
  EXPECT_FALSE(Template::parse("step07", fields) == Template::parse("step7", fields));
}

TEST(Template, SingleZeroHasNoWidth) {
  std::vector<int64_t> fields;
  EXPECT_EQ(Template::parse("0", fields).widths, std::vector<uint8_t>{0});
  EXPECT_EQ(Template::parse("00", fields).widths, std::vector<uint8_t>{2});
}

TEST(Template, TooManyOrTooLongNumbersStayText) {
  std::string many = "0";
  for (size_t i = 1; i < Template::max_fields; ++i) many += "." + std::to_string(i);
  for (const std::string& text : {many + ".1", std::string("x1234567890123456789y1")}) {
    std::vector<int64_t> fields;
    Template t = Template::parse(text, fields);
    EXPECT_EQ(t.fields(), 0u);
    EXPECT_TRUE(fields.empty());
    EXPECT_EQ(t.literals[0], text);
  }
  std::vector<int64_t> fields;
  EXPECT_EQ(Template::parse(many, fields).fields(), Template::max_fields);
  EXPECT_EQ(Template::parse("999999999999999999", fields).fields(), 1u);
}

TEST(Template, FillOfParseIsTheIdentity) {
  for (std::string_view text : {"", "0", "00", "a", "1a", "a1", "000000000000000001", "1 2 3 4 5 6", "-5"})
    EXPECT_EQ(there_and_back(text), text);
  std::mt19937 random(3);
  for (int round = 0; round < 50000; ++round) {
    std::string text(random() % 30, '\0');
    unsigned letters = random() % 2 ? 256 : 14;
    for (char& c : text) c = static_cast<char>(letters == 256 ? random() : '.' + random() % letters);
    EXPECT_EQ(there_and_back(text), text);
  }
}

TEST(Template, RoundTripsThroughBytes) {
  for (std::string_view text : {"", "plain", "a01b2", "7/8/9"}) {
    std::vector<int64_t> fields;
    Template t = Template::parse(text, fields);
    ByteWriter w;
    t.write(w);
    ByteReader r(w.bytes());
    EXPECT_EQ(Template::read(r), t);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.left(), 0u);
  }
}

TEST(Template, ReaderRefusesWhatParseCannotMake) {
  const uint8_t too_many[] = {Template::max_fields + 1, 0};
  ByteReader many(too_many);
  Template::read(many);
  EXPECT_STREQ(many.reason(), "too many fields in a template");
  const uint8_t wide_field[] = {1, 0, 19, 0};
  ByteReader wide(wide_field);
  Template::read(wide);
  EXPECT_STREQ(wide.reason(), "field of a template too wide");
}

}  // namespace
}  // namespace refrain::trace
