#include "trace/item_list.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace refrain::trace {
namespace {

void expect_equal(const ItemList& list, const std::vector<Item>& items) {
  ASSERT_EQ(list.size(), items.size());
  size_t i = 0;
  for (const Item& item : list) {
    EXPECT_EQ(item, items[i]) << i;
    EXPECT_EQ(list[i], items[i]) << i;
    ++i;
  }
  EXPECT_EQ(i, items.size());
  if (!items.empty()) {
    EXPECT_EQ(list.back(), items.back());
  }
  EXPECT_EQ(list, ItemList(items));
}

/// Any bits, of any width.
Item any_item(std::mt19937_64& random, unsigned widest) {
  auto number = [&] { return static_cast<int64_t>(random() << (63 - random() % widest)) >> (random() % 64); };
  return {number(), number(), static_cast<uint64_t>(number()), static_cast<uint32_t>(number())};
}

TEST(ItemList, HoldsWhatIsPutIntoIt) {
  std::mt19937_64 random(7);
  for (unsigned widest : {1u, 8u, 33u, 63u}) {
    ItemList list;
    std::vector<Item> items;
    for (size_t i = 0; i < 1000; ++i) {
      // The first are small, so that fields become wider and wider.
      Item item = i < 300 ? Item{static_cast<int64_t>(i % 2), 0, 2, 0} : any_item(random, widest);
      list.push_back(item);
      items.push_back(item);
      if (i % 7 == 0) {
        items.back() = any_item(random, widest);
        list.set_back(items.back());
      }
    }
    expect_equal(list, items);
    list.shrink();
    ItemList copy = list;
    expect_equal(copy, items);
    copy.set_back({});
    EXPECT_NE(copy, list);
    items.resize(100);
    expect_equal(ItemList(items), items);
  }
}

TEST(ItemList, HoldsTheLargestNumbers) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  std::vector<Item> items(300, Item{least, most, ~uint64_t{0}, ~uint32_t{0}});
  for (int64_t n : {int64_t{127}, int64_t{128}, int64_t{-128}, int64_t{-129}, int64_t{255}, int64_t{256}})
    items.push_back({n, -n, static_cast<uint64_t>(n), static_cast<uint32_t>(n)});
  expect_equal(ItemList(items), items);
  items.erase(items.begin(), items.begin() + 300);
  items.resize(300);
  expect_equal(ItemList(items), items);
  expect_equal(ItemList(), {});
  expect_equal({{1, 2, 3, 4}}, {{1, 2, 3, 4}});
}

}  // namespace
}  // namespace refrain::trace
