// One integer for each rank of a group, as runs of arithmetic sequences: `rank * 4096` on 65,536 ranks is one
// run. What a group of ranks does at the same time is described by a few of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::simulate {

class Spread {
 public:
  /// first, first + step, … (count of them)
  struct Run {
    uint64_t count = 0;
    int64_t first = 0;
    int64_t step = 0;
    int64_t at(uint64_t i) const;
    bool operator==(const Run&) const = default;
  };

  Spread() = default;
  static Spread constant(int64_t value, uint64_t count);

  /// Appends the value of the next rank.
  void push(int64_t value);
  void push(const Run& run);

  uint64_t size() const { return size_; }
  const std::vector<Run>& runs() const { return runs_; }
  bool is_constant() const;
  int64_t first() const { return runs_.empty() ? 0 : runs_.front().first; }
  int64_t lowest() const;
  int64_t highest() const;
  /// Of all ranks together; wraps.
  int64_t sum() const;

  void add(int64_t value);
  /// `other` must have the same size, or this be empty.
  void add(const Spread& other, int64_t factor = 1);
  bool operator==(const Spread& other) const;

 private:
  std::vector<Run> runs_;
  uint64_t size_ = 0;
};

/// Calls `take(a, b)` for pieces of equal length of two spreads of the same size.
template <class Take>
void side_by_side(const Spread& a, const Spread& b, Take take) {
  size_t i = 0;
  size_t j = 0;
  uint64_t a_used = 0;
  uint64_t b_used = 0;
  while (i < a.runs().size() && j < b.runs().size()) {
    const Spread::Run& p = a.runs()[i];
    const Spread::Run& q = b.runs()[j];
    uint64_t count = p.count - a_used < q.count - b_used ? p.count - a_used : q.count - b_used;
    take(Spread::Run{count, p.at(a_used), p.step}, Spread::Run{count, q.at(b_used), q.step});
    a_used += count;
    b_used += count;
    if (a_used == p.count) a_used = 0, ++i;
    if (b_used == q.count) b_used = 0, ++j;
  }
}

}  // namespace refrain::simulate
