// Random access into a column and into its sums. A column by itself finds a value in O(items); where values
// are asked for by the million, as in a table that stands in an expression over the rank, this index finds
// them, and the sum of all values before one, in O(log items).
#pragma once

#include <cstdint>
#include <vector>

#include "trace/column.hpp"

namespace refrain::trace {

/// Keeps the column. Memory is proportional to the column's items, not to its values; where that allows it,
/// the values themselves are kept, too.
class ColumnIndex {
 public:
  explicit ColumnIndex(Column column);

  const Column& column() const { return column_; }
  /// Value number `i`, 0 where there is none.
  int64_t at(uint64_t i) const { return i < flat_.size() ? flat_[i] : find(i); }
  /// The sum of the first `n` values (of all of them if there are fewer).
  int64_t sum_of_first(uint64_t n) const;

 private:
  int64_t find(uint64_t i) const;
  /// Where each item of a list starts, and the sum of the values before it; both end with the whole list.
  struct List {
    std::vector<uint64_t> starts;
    std::vector<int64_t> sums;
  };
  List index(const Column::Items& items) const;
  int64_t value(const Column::Items& items, const List& list, uint64_t i) const;
  int64_t sum(const Column::Items& items, const List& list, uint64_t n) const;
  int64_t sum_within(const Item& item, uint64_t n) const;

  Column column_;
  std::vector<List> bodies_;
  List whole_;
  std::vector<int64_t> flat_;  ///< all values, if they are not many more than the items
};

}  // namespace refrain::trace
