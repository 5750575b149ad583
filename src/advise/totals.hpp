// How often each call of a tree ran, and how many bytes it moved, over all ranks, without running anything.
#pragma once

#include <map>
#include <vector>

#include "advise/view.hpp"
#include "measure/sums.hpp"

namespace refrain::advise {

class Totals {
 public:
  Totals(std::vector<Call>& calls, std::map<uint32_t, uint64_t>& bytes_by_rank)
      : calls_(calls), bytes_by_rank_(bytes_by_rank) {}

  /// A tree whose events have numbers of calls in the place of signatures.
  void add(const std::vector<trace::Node>& tree, const trace::RankSet& ranks, bool outer);
  /// Whether nothing had to be estimated.
  bool complete() const { return complete_; }

 private:
  void list(const std::vector<trace::Node>& nodes, const measure::Executions& x);
  void node(const trace::Node& node, const measure::Executions& x, const std::vector<trace::Node>& siblings);
  void event(const trace::Node& node, const measure::Executions& x, const std::vector<trace::Node>& siblings);

  std::vector<Call>& calls_;
  std::map<uint32_t, uint64_t>& bytes_by_rank_;
  uint64_t times_ = 1;  ///< ranks that the tree being added stands for
  uint64_t moved_ = 0;  ///< by one of them
  uint64_t nodes_ = 0;  ///< looked at so far
  bool complete_ = true;
};

}  // namespace refrain::advise
