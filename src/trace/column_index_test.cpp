// The index of a column against the column itself.
#include "trace/column_index.hpp"

#include <gtest/gtest.h>

#include <random>

namespace refrain::trace {
namespace {

Column random_column(std::mt19937_64& random) {
  std::vector<Column::Items> bodies;
  auto items = [&] {
    Column::Items list;
    for (uint64_t n = 1 + random() % 4; n > 0; --n)
      list.push_back({static_cast<int64_t>(random()) >> (random() % 64),
                      static_cast<int64_t>(random() % 7) - 3, 1 + random() % 4,
                      static_cast<uint32_t>(random() % (bodies.size() + 1))});
    return list;
  };
  for (int n = 0; n < 3; ++n) bodies.push_back(items());
  Column::Items whole = items();
  return Column(std::move(whole), std::move(bodies));
}

TEST(ColumnIndex, FindsValuesAndSums) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    Column column = random_column(random);
    ColumnIndex index(column);
    int64_t sum = 0;
    uint64_t i = 0;
    for (Column::Cursor cursor(column); !cursor.done(); ++i) {
      ASSERT_EQ(index.sum_of_first(i), sum);
      int64_t value = cursor.next();
      ASSERT_EQ(index.at(i), value);
      sum = wrap_add(sum, value);
    }
    EXPECT_EQ(index.sum_of_first(i + 5), sum);
    EXPECT_EQ(index.at(i), 0);
  }
}

TEST(ColumnIndex, DoesNotExpand) {
  ColumnIndex index(Column({{5, 3, uint64_t{1} << 40, 0}}, {}));
  EXPECT_EQ(index.at(1000000000000), 3000000000005);
  EXPECT_EQ(index.sum_of_first(1000001), 5000005 + 3 * 500000500000);
}

TEST(ColumnIndex, OfNothing) {
  ColumnIndex index{Column()};
  EXPECT_EQ(index.at(0), 0);
  EXPECT_EQ(index.sum_of_first(9), 0);
}

}  // namespace
}  // namespace refrain::trace
