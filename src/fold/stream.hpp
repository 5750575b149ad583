// The values that one argument (or one trip count) takes, in order, while the trace is being folded. A
// stream is a growing column: it recognizes arithmetic runs and repeated sequences of runs as they
// arrive, in constant amortized time per value, and gives back its last values when a loop is undone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "trace/column.hpp"

namespace refrain::fold {

class Stream {
 public:
  Stream() = default;
  Stream(const Stream& other) { *this = other; }
  Stream& operator=(const Stream& other);
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&&) noexcept = default;
  static Stream of(int64_t value) {
    Stream s;
    s.push(value);
    return s;
  }

  void push(int64_t value) {
    if (value == next_ && count_ != 0) [[likely]] {
      next_ = trace::wrap_add(next_, stride_);
      ++count_;
    } else {
      push_slow(value);
    }
  }
  /// Pushes `count` values, each `step` words behind the one before it.
  void push_all(const int64_t* values, size_t step, size_t count);
  void push_run(int64_t first, int64_t stride, uint64_t count);
  /// Appends all of `other`; O(its items). `work` grows by the items moved.
  void append(const Stream& other, uint64_t& work);
  /// Removes the last `n` values (at most size()) and returns them. O(items touched), counted in `work`.
  Stream split_tail(uint64_t n, uint64_t& work);

  uint64_t size() const { return count_ + (past_ ? past_->size : 0); }
  /// The last value. Requires size() > 0.
  int64_t back() const;
  /// Whether all values are equal (and there is one); O(items).
  bool constant(int64_t& value) const;
  /// Sum of all values, wrapping; O(items).
  int64_t sum() const;
  /// Their sum, if all are trip counts: none is negative and the sum is at most Column::max_size.
  std::optional<uint64_t> total_trips() const;

  /// The values in their most regular form.
  trace::Column column() const;
  size_t memory() const;

  /// The exact state: a restored stream behaves like the saved one.
  void save(ByteWriter& out) const;
  static Stream restore(ByteReader& in);

 private:
  using Item = trace::Item;
  struct Body {
    std::vector<Item> items;
    uint64_t size = 0;  ///< values
    uint32_t depth = 1;
  };
  /// All but the active run. While `active`, the last item is a repetition that is still growing, and
  /// the first `at` items of its next period have been seen.
  struct Past {
    std::vector<Item> items;
    std::vector<Body> bodies;
    uint64_t size = 0;
    size_t threshold = 64;  ///< number of items at which the next search for a period is due
    uint32_t at = 0;
    bool active = false;

    uint64_t length(const Item& item) const {
      return item.body == 0 ? item.count : item.count * bodies[item.body - 1].size;
    }
    int64_t period_base() const;
    void push_item(Item item);
    void end_period();
    void find_period(size_t least_saving);
    bool shorten(size_t from, size_t period);
    uint32_t add_body(std::vector<Item> items);
    uint32_t translate(const Past& other, uint32_t body, uint64_t& work);
    void drop_unused_bodies();
    void finish();
    size_t open_last();
  };

  // Inlined, it would make every push save the registers that it needs.
  [[gnu::noinline]] void push_slow(int64_t value);
  Past& past();
  void close_run();
  void add_item(const Past& other, Item item, uint64_t& work);
  void reopen_last_run();
  static void restore_past(ByteReader& in, Past& past);
  static bool restore_items(ByteReader& in, const Past& past, std::vector<Item>& items, uint64_t& size,
                            uint32_t& depth, bool growing);

  int64_t next_ = 0, stride_ = 0, first_ = 0;  ///< the active run
  uint64_t count_ = 0;
  std::unique_ptr<Past> past_;
};

}  // namespace refrain::fold
