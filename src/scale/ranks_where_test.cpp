// Sets of ranks from laws, against trying every rank.
#include "scale/ranks_where.hpp"

#include <gtest/gtest.h>

#include <random>

namespace refrain::scale {

using namespace trace;

namespace {

using E = RankExpression;

E number(int64_t n) { return E::constant(n); }

RankSet tried(const E& law, uint32_t nprocs) {
  std::vector<uint32_t> in;
  for (uint32_t rank = 0; rank < nprocs; ++rank)
    if (law.at(rank) != 0) in.push_back(rank);
  return RankSet::of(in);
}

TEST(RanksWhere, intervals_strides_and_meshes) {
  E r = E::rank();
  const std::vector<E> laws{
      number(1),
      number(0),
      E::less(r, number(7)),
      E::at_least(r, number(30)),
      E::equal(r % 16, number(0)),
      E::less(r % 16, number(15)),
      E::both(E::at_least(r, number(16)), E::less(r % 16, number(15))),
      E::both(E::equal(r / 16 % 3, number(1)), E::equal(r % 16, number(7))),
      E::equal(r % 6 + r % 4, number(2)),
      r % 5 - number(2),
      E::select(E::less(r, number(20)), r % 3, E::equal(r, number(50))),
      E::equal(r ^ number(5), number(6)),
      E::lookup(Column::of({0, 1, 1, 0, 1}), r % 5),
      E::equal(E::minimum(r, number(40) - r), number(3)),
  };
  for (const E& law : laws)
    for (uint32_t n : {1u, 2u, 15u, 16u, 17u, 60u, 1000u})
      EXPECT_EQ(ranks_where(law, n), tried(law, n)) << law.text() << " at " << n;
}

E random_law(std::mt19937& random, int depth) {
  auto small = [&] { return number(static_cast<int64_t>(random() % 12) - 2); };
  if (depth == 0) return random() % 3 == 0 ? small() : E::rank();
  E a = random_law(random, depth - 1), b = random_law(random, depth - 1);
  int64_t n = static_cast<int64_t>(random() % 9) + 1;
  switch (random() % 11) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a / n;
    case 4:
      return a % n;
    case 5:
      return E::minimum(a, b);
    case 6:
      return E::less(a, b);
    case 7:
      return E::at_least(a, b);
    case 8:
      return E::equal(a, b);
    case 9:
      return E::both(a, b);
    default:
      return E::select(a, b, small());
  }
}

TEST(RanksWhere, random_laws) {
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    E law = random_law(random, 3);
    auto n = static_cast<uint32_t>(random() % 150 + 1);
    ASSERT_EQ(ranks_where(law, n), tried(law, n)) << law.text() << " at " << n;
  }
}

TEST(RanksWhere, a_million_ranks) {
  E r = E::rank();
  EXPECT_EQ(ranks_where(E::less(r % 1024, number(1023)), 1 << 20).text(), "(0..1022) + 0..1047552 step 1024");
  EXPECT_EQ(ranks_where(E::equal(r, r / 4 * number(4)), 1 << 20).text(), "0..1048572 step 4");
  EXPECT_EQ(ranks_where(E::equal(r % 4, number(1)), 1 << 20).text(), "1..1048573 step 4");
}

}  // namespace
}  // namespace refrain::scale
