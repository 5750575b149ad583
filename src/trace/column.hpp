// A column is a list of integers kept in its shortest regular form: runs (first, stride, count) and
// repeated bodies of runs, shifted by a constant each time. It stands behind every elastic value that no
// closed form explains, and it is never expanded: a run of 10^12 values costs what one run costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "trace/item_list.hpp"

namespace refrain::trace {

/// Arithmetic on values wraps, so that any 64-bit pattern survives a round trip.
constexpr int64_t wrap_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
constexpr int64_t wrap_sub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
constexpr int64_t wrap_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

class Column {
 public:
  using Items = ItemList;
  /// Deepest nesting of bodies, and most values a column may stand for.
  static constexpr size_t max_depth = 8;
  static constexpr uint64_t max_size = uint64_t{1} << 60;

  Column() = default;
  /// Takes the items as they are; a body may only refer to bodies before it.
  Column(Items items, std::vector<Items> bodies);
  /// The runs of a plain list.
  static Column of(const std::vector<int64_t>& values);
  /// Whether its items are the runs that of() makes of its values.
  bool has_longest_runs() const;

  /// Makes room for so many items.
  void reserve(size_t items) { items_.reserve(items); }
  /// Appends first, first+stride, … (`count` values), as part of the last run where they continue it. O(1).
  void append_run(int64_t first, int64_t stride, uint64_t count);
  /// Appends the values of another column. O(its items).
  void append(const Column& other);
  /// All values plus `by`.
  Column shifted(int64_t by) const;

  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Items& items() const { return items_; }
  const std::vector<Items>& bodies() const { return bodies_; }
  /// Number of values that `item` (of this column) stands for.
  uint64_t length(const Item& item) const {
    return item.body == 0 ? item.count : item.count * body_sizes_[item.body - 1];
  }

  /// Value number `i`. O(items).
  int64_t at(uint64_t i) const;
  /// Every value, for tables known to be short (at most `limit` values are returned).
  std::vector<int64_t> expand(uint64_t limit = ~uint64_t{0}) const;

  /// Writes the shortest of several encodings: items, packed bits (of the values, of their differences, or
  /// of their places in a palette), varints, delta varints, or a frequent value with exceptions. `read`
  /// accepts any bytes and bounds its memory by a constant factor of what it reads.
  void write(ByteWriter& out) const;
  static Column read(ByteReader& in);
  size_t encoded_size() const;

  /// Same sequence of values, whatever the items.
  bool same_values(const Column& other) const;

  /// Walks the values in order without expanding them.
  class Cursor {
   public:
    explicit Cursor(const Column& column);
    bool done() const { return done_; }
    /// The next value. Requires !done().
    int64_t next() {
      int64_t value = wrap_add(first_, wrap_mul(stride_, static_cast<int64_t>(in_run_)));
      if (++in_run_ == run_count_) leave_run();
      return value;
    }
    /// The rest of the current run: (first, stride, count); advances past it.
    Item next_run();

   private:
    struct Level {
      const Items* items;
      size_t at;
      uint64_t repetition;
      int64_t shift;
    };
    void leave_run();
    void settle();
    const Column* column_;
    Level level_;                ///< where the current run stands
    std::vector<Level> around_;  ///< the levels around it, outermost first
    bool done_ = false;
    int64_t first_ = 0, stride_ = 0;  ///< of the current run
    uint64_t run_count_ = 0, in_run_ = 0;
  };

 private:
  Items items_;
  std::vector<Items> bodies_;
  std::vector<uint64_t> body_sizes_;
  uint64_t size_ = 0;
};

}  // namespace refrain::trace
