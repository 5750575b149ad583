// In which order calls are made that no rank of any run makes both. Calls of the last rank and of every sixth
// rank stand one after the other in the merged tree, but which comes first is chance as long as the last rank
// is none of the others. At a number of ranks where it is, that is a doubt.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// A call or loop among others, in the order of the tree.
struct Sibling {
  std::string name{};
  trace::RankSet places{};      ///< who has it in the runs
  trace::RankExpression law{};  ///< who has it; 1: all
};

/// Adds a doubt for calls of unknown order, one for any two sets of ranks that make them; `about` says where
/// they are and on which ranks.
void doubt_order(std::span<const Sibling> siblings, uint32_t largest_run, const trace::Doubt& about,
                 std::vector<trace::Doubt>& doubts);

}  // namespace refrain::extrapolate
