// Looks up values and sums; see column_index.hpp. Every list of items (the column's own and each body's) has
// the place and the sum at which each of its items starts, so a lookup is one binary search per level of
// nesting, and what remains inside a run or a repeated body has a closed form.
#include "trace/column_index.hpp"

#include <algorithm>
#include <utility>

namespace refrain::trace {
namespace {

/// first + (first + stride) + … of n terms.
int64_t arithmetic_sum(int64_t first, int64_t stride, uint64_t n) {
  uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  return wrap_add(wrap_mul(first, static_cast<int64_t>(n)), wrap_mul(stride, static_cast<int64_t>(pairs)));
}

int64_t nth(const Item& item, uint64_t n) {
  return wrap_add(item.first, wrap_mul(item.stride, static_cast<int64_t>(n)));
}

/// The item in which value number `i` lies.
size_t item_of(const std::vector<uint64_t>& starts, uint64_t i) {
  return static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), i) - starts.begin()) - 1;
}

}  // namespace

ColumnIndex::ColumnIndex(Column column) : column_(std::move(column)) {
  for (const Column::Items& items : column_.bodies()) bodies_.push_back(index(items));
  whole_ = index(column_.items());
  size_t items = column_.items().size();
  for (const Column::Items& body : column_.bodies()) items += body.size();
  if (column_.size() <= 64 + 2 * items) flat_ = column_.expand();
}

ColumnIndex::List ColumnIndex::index(const Column::Items& items) const {
  List list;
  uint64_t start = 0;
  int64_t before = 0;
  for (const Item& item : items) {
    list.starts.push_back(start);
    list.sums.push_back(before);
    start += column_.length(item);
    before = wrap_add(before, sum_within(item, column_.length(item)));
  }
  list.starts.push_back(start);
  list.sums.push_back(before);
  return list;
}

int64_t ColumnIndex::find(uint64_t i) const {
  return i < column_.size() ? value(column_.items(), whole_, i) : 0;
}

int64_t ColumnIndex::sum_of_first(uint64_t n) const {
  return sum(column_.items(), whole_, std::min(n, column_.size()));
}

int64_t ColumnIndex::value(const Column::Items& items, const List& list, uint64_t i) const {
  size_t k = item_of(list.starts, i);
  const Item item = items[k];
  i -= list.starts[k];
  if (item.body == 0) return nth(item, i);
  const List& body = bodies_[item.body - 1];
  uint64_t size = body.starts.back();
  return wrap_add(nth(item, i / size), value(column_.bodies()[item.body - 1], body, i % size));
}

int64_t ColumnIndex::sum(const Column::Items& items, const List& list, uint64_t n) const {
  size_t k = item_of(list.starts, n);
  if (k == items.size()) return list.sums[k];
  return wrap_add(list.sums[k], sum_within(items[k], n - list.starts[k]));
}

int64_t ColumnIndex::sum_within(const Item& item, uint64_t n) const {
  if (item.body == 0) return arithmetic_sum(item.first, item.stride, n);
  const List& body = bodies_[item.body - 1];
  uint64_t size = body.starts.back();
  if (size == 0) return 0;
  uint64_t whole = n / size, rest = n % size;
  int64_t shifts = wrap_mul(arithmetic_sum(item.first, item.stride, whole), static_cast<int64_t>(size));
  int64_t last = wrap_mul(nth(item, whole), static_cast<int64_t>(rest));
  int64_t values = wrap_mul(body.sums.back(), static_cast<int64_t>(whole));
  int64_t partial = rest == 0 ? 0 : sum(column_.bodies()[item.body - 1], body, rest);
  return wrap_add(wrap_add(shifts, last), wrap_add(values, partial));
}

}  // namespace refrain::trace
