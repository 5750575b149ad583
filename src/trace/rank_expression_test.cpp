// Rank expressions: values, text and bytes.
#include "trace/rank_expression.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace refrain::trace {
namespace {

using E = RankExpression;
constexpr int64_t smallest = std::numeric_limits<int64_t>::min();

E k(int64_t value) { return E::constant(value); }
E r() { return E::rank(); }

E random_expression(std::mt19937_64& random, int depth) {
  auto sub = [&] { return random_expression(random, depth - 1); };
  auto number = [&] { return static_cast<int64_t>(random()) >> (random() % 64); };
  auto table = [&] {
    std::vector<int64_t> values(random() % 9);
    for (int64_t& v : values) v = number();
    return Column::of(values);
  };
  if (depth == 0 || random() % 8 == 0) return random() % 2 ? r() : k(number());
  switch (random() % 18) {
    case 17:
      return E::power((number() & 0xFF) + 2, sub());
    case 0:
      return sub() + sub();
    case 1:
      return sub() - sub();
    case 2:
      return sub() * sub();
    case 3:
      return sub() / (number() | 1);
    case 4:
      return sub() % (number() | 1);
    case 5:
      return E::minimum(sub(), sub());
    case 6:
      return sub() ^ sub();
    case 7:
      return sub() & sub();
    case 8:
      return E::power_of_two(sub());
    case 9:
      return E::less(sub(), sub());
    case 10:
      return E::at_least(sub(), sub());
    case 11:
      return E::equal(sub(), sub());
    case 12:
      return E::select(sub(), sub(), sub());
    case 13:
      return E::linear(table(), sub());
    case 14:
      return E::both(sub(), sub());
    case 15:
      return E::lookup(table(), sub());
    default:
      return E::prefix_sum(table(), sub());
  }
}

std::vector<uint8_t> bytes_of(const E& e) {
  ByteWriter out;
  e.write(out);
  return out.take();
}

TEST(RankExpression, Computes) {
  EXPECT_EQ(E().at(7), 0);
  EXPECT_EQ((r() * k(8) + k(3)).at(5), 43);
  EXPECT_EQ((r() / 16 % 16 * k(100)).at(0x123), 0x2 * 100);
  EXPECT_EQ(((r() - k(5)) / 2).at(0), -2) << "as in C";
  EXPECT_EQ(((r() - k(5)) % 3).at(0), -2) << "as in C";
  EXPECT_EQ(E::select(E::less(r(), k(3)), k(10), r()).at(2), 10);
  EXPECT_EQ(E::select(E::less(r(), k(3)), k(10), r()).at(3), 3);
  EXPECT_EQ(E::linear(Column::of({1, 3, 6, 12}), r()).at(0b1010), 3 ^ 12);
  EXPECT_EQ(E::lookup(Column::of({5, 1, 9}), r() % 3).at(5), 9);
  EXPECT_EQ(E::prefix_sum(Column::of({5, 1, 9}), r()).at(2), 6);
  EXPECT_EQ(E::power_of_two(r()).at(63), smallest);
  EXPECT_EQ(E::power(3, r()).at(39), 4052555153018976267);
}

TEST(RankExpression, IsDefinedEverywhere) {
  EXPECT_EQ(E::power_of_two(r()).at(64), 0);
  EXPECT_EQ(E::power_of_two(r() - k(1)).at(0), 0);
  EXPECT_EQ(E::power(3, r()).at(40), 0);
  EXPECT_EQ(E::power(3, r()).at(4000000000), 0);
  EXPECT_EQ(E::power(3, r() - k(1)).at(0), 0);
  EXPECT_EQ(E::lookup(Column::of({5, 1, 9}), r()).at(3), 0);
  EXPECT_EQ(E::lookup(Column::of({5, 1, 9}), r() - k(1)).at(0), 0);
  EXPECT_EQ(E::lookup(Column(), r()).at(0), 0);
  EXPECT_EQ(E::prefix_sum(Column::of({5, 1, 9}), r()).at(4000000000), 15);
  EXPECT_EQ(E::prefix_sum(Column::of({5, 1, 9}), r() - k(1)).at(0), 0);
  EXPECT_EQ((r() / 0).at(6), 6) << "counts as 1";
  EXPECT_EQ((r() % -4).at(6), 0) << "counts as 1";
  EXPECT_EQ((k(smallest) - r()).at(1), std::numeric_limits<int64_t>::max()) << "wraps";
}

TEST(RankExpression, PrintsAsC) {
  EXPECT_EQ(k(-4).text(), "-4");
  EXPECT_EQ(k(smallest).text(), "-9223372036854775807-1");
  EXPECT_EQ((r() * k(8388608) + k(2048)).text(), "rank*8388608+2048");
  EXPECT_EQ((r() * k(-512) + k(1048064)).text("r"), "1048064-r*512");
  EXPECT_EQ((r() * k(-512) - k(8)).text("r"), "-r*512-8");
  EXPECT_EQ(((r() + k(1)) % 16 * k(60)).text("r"), "(r+1)%16*60");
  EXPECT_EQ((k(60) * (r() / 2 % 16)).text("r"), "r/2%16*60");
  EXPECT_EQ((r() * (r() / 2)).text("r"), "r/2*r");
  EXPECT_EQ((r() / 3 * (r() % 2)).text("r"), "r/3*(r%2)");
  EXPECT_EQ((r() - (r() - r() % 4)).text("r"), "r-r+r%4");
  EXPECT_EQ((r() ^ r() / 2).text("r"), "r^r/2");
  EXPECT_EQ(((r() ^ k(1)) * k(8) + k(1)).text("r"), "(r^1)*8+1");
  EXPECT_EQ(((r() + k(1)) ^ k(1)).text("r"), "(r+1)^1");
  EXPECT_EQ((E::less(r() % 16, k(3)) + k(6250)).text("r"), "(r%16<3)+6250");
  EXPECT_EQ(E::equal(r() % 16, k(0)).text("r"), "r%16==0");
  EXPECT_EQ((E::power_of_two(r() % 8) * k(3)).text("r"), "(1L<<r%8)*3");
  EXPECT_EQ((E::power(5, r() % 8) * k(3)).text("r"), "5**(r%8)*3");
  EXPECT_EQ(E::power(2, r()).text("r"), "1L<<r");
  EXPECT_EQ(E::select(E::less(r(), k(3)), k(-1), E::select(E::less(r(), k(9)), r(), k(7))).text("r"),
            "r<3?-1:r<9?r:7");
  EXPECT_EQ(E::minimum(r(), k(519)).text("r"), "min(r,519)");
  EXPECT_EQ((E::both(r() % 4, E::less(r(), k(9))) * k(2)).text("r"), "(r%4&&r<9)*2");
  EXPECT_EQ((k(1) - (k(1) - r() % 4)).text("r"), "r%4");
  EXPECT_EQ((k(3) - (k(1) - r())).text("r"), "r+2");
  EXPECT_EQ((k(1) - E::equal(r(), k(0))).text("r"), "r!=0");
  EXPECT_EQ((E::less(r(), k(3)) * k(-1) + k(1)).text("r"), "r>=3");
  EXPECT_EQ(((k(1) - E::at_least(r(), k(3))) * k(8)).text("r"), "(r<3)*8");
  EXPECT_EQ((k(2) - E::less(r(), k(3))).text("r"), "2-(r<3)");
  EXPECT_EQ((r() % 12 % 4).text("r"), "r%4");
  EXPECT_EQ((r() % 12 % 5).text("r"), "r%12%5");
}

TEST(RankExpression, PrintsTables) {
  E table = E::lookup(Column::of({5, 1, 9, 9}), r() % 4) + r() / 4 * k(10);
  EXPECT_EQ(table.text(), "[5, 1, 9, 9][rank%4]+rank/4*10");
  EXPECT_EQ(table.text({.spaced = true}), "[5, 1, 9, 9][rank%4] + rank/4*10");
  EXPECT_EQ(table.text({.longest_table = 3}), "[… 4 values][rank%4]+rank/4*10");
  EXPECT_EQ(E::prefix_sum(Column::of({5, 1}), r()).text("r"), "sum([5, 1],r)");
  EXPECT_EQ(E::linear(Column::of({2, 1}), r()).text("r"), "bits([2, 1],r)");
}

TEST(RankExpression, ManyRanksAtOnce) {
  std::mt19937_64 random(1);
  std::vector<uint32_t> ranks(700);
  for (int round = 0; round < 200; ++round) {
    E e = random_expression(random, 4);
    for (uint32_t& rank : ranks) rank = static_cast<uint32_t>(random() >> (32 + random() % 32));
    std::vector<int64_t> values(ranks.size());
    e.evaluate(ranks, values);
    for (size_t i = 0; i < ranks.size(); ++i) ASSERT_EQ(values[i], e.at(ranks[i])) << e.text();
  }
}

TEST(RankExpression, ManyRanksAtOnceOfOneJob) {
  E p = E::nprocs(), x = E::grid(p, 3, 2), even = E::quotient(k(1000), p);
  std::vector<uint32_t> ranks(300);
  for (uint32_t i = 0; i < ranks.size(); ++i) ranks[i] = i;
  for (const E& e : {p, even, E::remainder(r(), x) * even + E::minimum(r(), p - k(2)),
                     E::select(E::less(r(), x), E::root(p, 2), r() - p), E::equal(p, k(12)), E::index() + p})
    for (int64_t nprocs : {1, 12, 300}) {
      std::vector<int64_t> values(ranks.size());
      e.evaluate(ranks, values, nprocs);
      for (uint32_t rank : ranks)
        ASSERT_EQ(values[rank], e.at(E::Point{.rank = rank, .nprocs = nprocs})) << e.text();
    }
}

TEST(RankExpression, SurvivesARoundTrip) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    E e = random_expression(random, 5);
    auto bytes = bytes_of(e);
    ByteReader in(bytes);
    E back = E::read(in);
    ASSERT_TRUE(in.ok()) << in.reason() << " " << e.text();
    ASSERT_EQ(in.left(), 0u);
    ASSERT_EQ(e, back);
    ASSERT_EQ(e.text(), back.text());
    ASSERT_EQ(bytes, bytes_of(back));
  }
}

TEST(RankExpression, AnyBytesAreReadSafely) {
  std::mt19937_64 random(3);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    auto bytes = bytes_of(random_expression(random, 4));
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random() >> (random() % 8));
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    ByteReader in(bytes);
    E e = E::read(in);
    if (!in.ok()) {
      EXPECT_EQ(e, E());
      continue;
    }
    ++accepted;
    for (uint32_t rank : {0u, 1u, 12345u, 0x7fffffffu, 0xffffffffu}) e.at(rank);
    EXPECT_FALSE(e.text().empty());
  }
  EXPECT_GT(accepted, 1000);
}

TEST(RankExpression, RefusesWhatIsTooLargeOrInvalid) {
  auto reason = [](std::vector<uint8_t> bytes) -> std::string {
    ByteReader in(bytes);
    E::read(in);
    return in.ok() ? "" : in.reason();
  };
  auto code = [](Operation operation) { return static_cast<uint8_t>(operation); };
  EXPECT_EQ(reason({code(Operation::divide), 0, 1, 0}), "division by zero");
  EXPECT_EQ(reason({code(Operation::modulo), 0, 1, 0}), "division by zero");
  EXPECT_EQ(reason({1, 3}), "unknown variable in an expression");
  EXPECT_EQ(reason({code(Operation::root), 4, 1, 0}), "unknown root or grid in an expression");
  EXPECT_EQ(reason({code(Operation::grid), 10, 1, 0}), "unknown root or grid in an expression");
  EXPECT_EQ(reason({code(Operation::power), 2, 1, 0}), "power of a number out of range");
  EXPECT_EQ(reason({26, 0}), "unknown operation in an expression");
  EXPECT_EQ(reason({}), "unexpected end");
  EXPECT_EQ(reason(std::vector<uint8_t>(1000, code(Operation::power_of_two))), "expression too large");
  E wide = r();
  for (int i = 0; i < 10; ++i) wide = wide & wide;
  EXPECT_EQ(reason(bytes_of(wide)), "expression too large");
  EXPECT_FALSE(wide.within_bounds());
  E deep = r();
  for (size_t i = 1; i < E::max_depth; ++i) deep = E::power_of_two(deep);
  EXPECT_TRUE(deep.within_bounds());
  EXPECT_EQ(reason(bytes_of(deep)), "");
  deep = E::power_of_two(deep);
  EXPECT_FALSE(deep.within_bounds());
  EXPECT_EQ(reason(bytes_of(deep)), "expression too large");
}

}  // namespace
}  // namespace refrain::trace
