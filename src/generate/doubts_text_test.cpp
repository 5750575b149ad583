// Kernels for any number of ranks know what isn't certain of them.
#include "generate/doubts_text.hpp"

#include <gtest/gtest.h>

#include "scale/at_size.hpp"

namespace refrain::generate {
namespace {

using trace::RankExpression;

trace::Trace doubted(std::vector<trace::Doubt> doubts) {
  trace::Trace t;
  t.sizes = {4, 8, 16};
  t.doubts = std::move(doubts);
  return t;
}

const RankExpression one = RankExpression::constant(1), p = RankExpression::nprocs(),
                     rank = RankExpression::rank();

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(DoubtsText, says_where_two_laws_differ) {
  std::string text = doubts_text(doubted({{"pwrite, arg1", "another law", p / 2, p, one},
                                          {"pread, arg1", "a rest", p % 3, RankExpression(), rank % 2}}));
  EXPECT_TRUE(has(text, "  if (nprocs/2 != nprocs)\n    return \"pwrite, arg1: another law\";\n")) << text;
  EXPECT_TRUE(has(text, "  if (rank%2 && nprocs%3 != 0)\n    return \"pread, arg1: a rest\";\n")) << text;
  EXPECT_TRUE(has(text, "nprocs == 4 || nprocs == 8 || nprocs == 16")) << text;
}

TEST(DoubtsText, leaves_out_what_never_differs_and_what_comes_after_a_certain_one) {
  std::string text = doubts_text(doubted({{"a", "never", one, one, one},
                                          {"b", "for nobody", p, p / 2, RankExpression()},
                                          {"c", "always", one, RankExpression(), one},
                                          {"d", "later", p, p / 2, one}}));
  EXPECT_FALSE(has(text, "never") || has(text, "nobody") || has(text, "later")) << text;
  EXPECT_TRUE(has(text, "  return \"c: always\";\n}\n")) << text;
}

TEST(DoubtsText, says_the_same_once) {
  std::string text = doubts_text(doubted({{"a", "first", p, p / 2, one}, {"b", "second", p, p / 2, one}}));
  EXPECT_TRUE(has(text, "a: first") && !has(text, "second")) << text;
}

TEST(DoubtsText, is_about_calls_that_the_kernel_makes) {
  std::string layer = std::string(scale::in_layer) + "posix, pwrite";
  EXPECT_FALSE(has_doubts(doubted({{layer, "any", p, p / 2, one}})));
  EXPECT_TRUE(has_doubts(doubted({{"pwrite", "any", p, p / 2, one}})));
}

TEST(DoubtsText, words_of_a_trace_are_only_words) {
  std::string text = doubts_text(doubted({{"x\"; exit(1); //\x1b[31m\n", "?\?/", p, p / 2, one}}));
  EXPECT_TRUE(has(text, "return \"x\\\"; exit(1); //?[31m?: ? ?/\";\n")) << text;
}

}  // namespace
}  // namespace refrain::generate
