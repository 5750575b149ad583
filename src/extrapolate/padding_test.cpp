// Names whose numbers are padded: the width is found again from what ranks of a few runs show of it.
#include "extrapolate/padding.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace refrain::extrapolate {
namespace {

using trace::RankExpression;
using trace::Template;

using Width = std::function<size_t(int64_t)>;

std::string padded(int64_t number, size_t width) {
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

size_t digits(int64_t n) { return std::to_string(n).size(); }

struct Names {
  std::vector<Template> templates{};
  std::vector<NameUse> uses{};

  void use(int64_t nprocs, const std::string& text) {
    NameUse use{.nprocs = nprocs};
    Template form = Template::parse(text, use.fields);
    auto known = std::find(templates.begin(), templates.end(), form);
    use.text = known - templates.begin();
    if (known == templates.end()) templates.push_back(form);
    uses.push_back(use);
  }
};

Names names_of(const std::vector<int64_t>& sizes, int64_t stride, const Width& width) {
  Names names;
  for (int64_t p : sizes)
    for (int64_t rank = 0; rank < p; rank += stride)
      names.use(p, "out/part." + padded(rank, width(p)) + ".bin");
  return names;
}

/// Whether all names at some other numbers of ranks are right.
void expect_right(const PaddedName& name, const std::vector<Template>& templates, const Width& width) {
  for (int64_t p : {1, 2, 9, 10, 11, 64, 99, 100, 101, 1000, 1001, 8192, 1 << 20, 1 << 24}) {
    int64_t at = name.text.at(RankExpression::Point{.nprocs = p});
    ASSERT_GE(at, 0);
    ASSERT_LT(at, static_cast<int64_t>(templates.size()));
    for (int64_t rank : {int64_t{0}, p / 2, p - 1})
      EXPECT_EQ(templates[static_cast<size_t>(at)].fill(&rank), "out/part." + padded(rank, width(p)) + ".bin")
          << p;
  }
}

TEST(Padding, of_every_width_is_found_again) {
  const std::vector<std::pair<const char*, Width>> laws{
      {"%d", [](int64_t) { return 1; }},
      {"%02d", [](int64_t) { return 2; }},
      {"%05d", [](int64_t) { return 5; }},
      {"digits of P-1", [](int64_t p) { return digits(p - 1); }},
      {"one more", [](int64_t p) { return digits(p - 1) + 1; }},
      {"digits of P", [](int64_t p) { return digits(p); }},
  };
  for (const auto& [what, width] : laws)
    for (int64_t stride : {1, 2}) {
      SCOPED_TRACE(what);
      Names names = names_of({4, 10, 12, 24, 101}, stride, width);
      auto name = padded_name(names.uses, names.templates);
      ASSERT_TRUE(name);
      EXPECT_FALSE(name->other);
      expect_right(*name, names.templates, width);
    }
}

TEST(Padding, says_what_else_it_might_be) {
  Names names = names_of({5, 8, 9}, 1, [](int64_t p) { return digits(p - 1); });
  auto name = padded_name(names.uses, names.templates);
  ASSERT_TRUE(name && name->other);
  auto differ = [&](int64_t p) {
    RankExpression::Point point{.nprocs = p};
    return name->width->at(point) != name->other->at(point);
  };
  EXPECT_FALSE(differ(10));
  EXPECT_TRUE(differ(11));
  Names wider = names_of({5, 8, 9, 24}, 1, [](int64_t p) { return digits(p - 1); });
  name = padded_name(wider.uses, wider.templates);
  ASSERT_TRUE(name && name->other);
  EXPECT_FALSE(differ(24));
  EXPECT_TRUE(differ(10));  // two digits if they are those of P
}

TEST(Padding, other_names_are_left_alone) {
  Names names;
  names.use(4, "a.1");
  names.use(8, "b.1");
  EXPECT_FALSE(padded_name(names.uses, names.templates));
  Names random;
  for (int64_t p : {4, 8, 16}) random.use(p, "a." + padded(1, static_cast<size_t>(p * 7 % 5 + 2)));
  EXPECT_FALSE(padded_name(random.uses, random.templates));
  EXPECT_FALSE(padded_name({}, names.templates));
}

}  // namespace
}  // namespace refrain::extrapolate
