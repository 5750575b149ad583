// Walks the ranks of a set in order, one arithmetic run at a time, without expanding it.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/rank_set.hpp"

namespace refrain::merge {

/// first, first + stride, …: `count` ranks.
struct RankRun {
  uint64_t first = 0;
  uint64_t stride = 0;
  uint64_t count = 0;
};

/// Keeps a reference to the set.
class RankRuns {
 public:
  explicit RankRuns(const trace::RankSet& ranks) : ranks_(ranks) { enter_block(); }
  bool done() const { return block_ == ranks_.blocks().size(); }
  /// The next run. Requires !done().
  RankRun next();

 private:
  void enter_block();

  const trace::RankSet& ranks_;
  size_t block_ = 0;
  uint64_t first_ = 0;
  std::vector<uint64_t> digits_;  ///< place in each level around the innermost one
};

}  // namespace refrain::merge
