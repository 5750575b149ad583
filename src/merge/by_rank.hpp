// A column seen as a function on all ranks, where its rank set leaves some out. What the missing ranks would
// have is guessed; a wrong guess costs a chance to find an expression, never its correctness, because results
// are checked on the ranks that are there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/rank_set.hpp"

namespace refrain::merge {

class ByRank {
 public:
  /// values[k] belongs to the k-th rank.
  ByRank(const trace::RankSet& ranks, std::span<const int64_t> values);

  struct Stretch {
    size_t start = 0, count = 0;
  };

  /// Whether ranks are missing, but not too many.
  bool worth_trying() const { return !values_.empty(); }
  /// Missing ranks continue the line of the two ranks after them: right where digits start from zero.
  bool continue_lines();
  /// Missing ranks repeat what the longest stretch of ranks without gaps repeats; false if it has no period.
  bool continue_periods();

  /// The most ranks in a row of which none is missing.
  Stretch longest_stretch() const;

  /// values()[r] belongs to rank r, from 0 to the last one in the set.
  std::span<const int64_t> values() const { return values_; }

 private:
  std::vector<int64_t> values_;
  std::vector<bool> known_;
};

}  // namespace refrain::merge
