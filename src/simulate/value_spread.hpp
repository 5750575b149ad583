// A value of a merged tree on all ranks of a group. The group's first rank is run by an Expander; how far the
// others are from it follows from the numbers of the value that depend on the rank.
#pragma once

#include <span>

#include "simulate/spread.hpp"
#include "trace/trace.hpp"

namespace refrain::simulate {

class ValueSpread {
 public:
  /// `within` is the rank set that the value's numbers stand in; all ranks belong to one alternative.
  ValueSpread(const trace::Value& value, const trace::RankSet& within, const std::vector<uint32_t>& ranks);

  /// The values, given that of the first rank, in execution number `execution` of the node.
  Spread at(int64_t first, std::span<const int64_t> indices, uint64_t execution) const;

 private:
  Spread differences(const trace::Number& number, const trace::RankSet& within,
                     const std::vector<uint32_t>& ranks) const;

  uint64_t ranks_;
  trace::Form form_ = trace::Form::affine;
  uint32_t depth_ = 0;
  int64_t ratio_ = 0;
  Spread base_, step_;  ///< empty: the same on all ranks; so are the others
  std::vector<Spread> slopes_, entries_;
};

}  // namespace refrain::simulate
