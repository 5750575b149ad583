// The smallest of many: a heap of (key, job) with four children per node, which fits cache lines better than
// two. Equal keys come out by job, that is by id. Push and pop are O(log n).
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/time.hpp"

namespace refrain::schedule {

class Heap {
 public:
  struct Entry {
    Time key = 0;
    uint64_t job = 0;
    /// Without branches: to the processor, which of two comes first is the toss of a coin.
    bool before(const Entry& other) const {
      return static_cast<bool>(static_cast<int>(key < other.key) |
                               (static_cast<int>(key == other.key) & static_cast<int>(job < other.job)));
    }
  };

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  const Entry& top() const { return entries_.front(); }
  /// The key of the top, or `never`.
  Time next() const { return entries_.empty() ? never : entries_.front().key; }

  void push(Entry added) {
    entries_.push_back(added);
    size_t at = entries_.size() - 1;
    while (at > 0) {
      size_t parent = (at - 1) / arity;
      if (!added.before(entries_[parent])) break;
      entries_[at] = entries_[parent];
      at = parent;
    }
    entries_[at] = added;
  }

  Entry pop() {
    Entry top = entries_.front();
    Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return top;
  }

 private:
  static constexpr size_t arity = 4;

  /// Puts `moved` where the top was, or below it.
  void sink(Entry moved) {
    size_t size = entries_.size();
    size_t at = 0;
    for (size_t child = 1; child < size; child = at * arity + 1) {
      size_t smallest = child + arity <= size ? smallest_of_four(child) : smallest_of(child, size);
      if (!entries_[smallest].before(moved)) break;
      entries_[at] = entries_[smallest];
      at = smallest;
    }
    entries_[at] = moved;
  }

  size_t smallest_of_four(size_t first) const {
    size_t left = first + static_cast<size_t>(entries_[first + 1].before(entries_[first]));
    size_t right = first + 2 + static_cast<size_t>(entries_[first + 3].before(entries_[first + 2]));
    return entries_[right].before(entries_[left]) ? right : left;
  }

  size_t smallest_of(size_t first, size_t end) const {
    size_t smallest = first;
    for (size_t other = first + 1; other < end; ++other) {
      if (entries_[other].before(entries_[smallest])) smallest = other;
    }
    return smallest;
  }

  std::vector<Entry> entries_;
};

}  // namespace refrain::schedule
