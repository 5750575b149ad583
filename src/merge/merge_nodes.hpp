// Two trees of different ranks become one.
#pragma once

#include <vector>

#include "merge/align_ranks.hpp"
#include "merge/rank_order.hpp"
#include "trace/trace.hpp"

namespace refrain::merge {

/// Merges trees that refer to the same tables; `order` has the ranks that run each of them. Exact: at_rank
/// gives of the result what it gave of the part. O(nodes) where both have the same structure.
class NodeMerger {
 public:
  NodeMerger(const Shapes& shapes, const Options& options) : shapes_(shapes), options_(options) {}

  using Nodes = std::vector<trace::Node>;
  /// `level` and `loops`: how many nodes, and how many loops, stand around the lists.
  Nodes merge(Nodes a, Nodes b, const Order& order, size_t level = 0, size_t loops = 0) const;

 private:
  Nodes aligned(Nodes a, Nodes b, const Order& order, size_t level, size_t loops) const;
  Nodes gathered(Nodes list, const Order& order, size_t level, size_t loops) const;
  // Both make `a` the merged node and use `b` up, where it is: moving nodes would be most of the work.
  void pair(trace::Node& a, trace::Node&& b, const Order& order, size_t level, size_t loops) const;
  void zip(trace::Node& a, trace::Node&& b, const Order& order) const;

  const Shapes& shapes_;
  const Options& options_;
};

/// Marks nodes that stand for everyone as those of `ranks` only.
void restrict_to(std::vector<trace::Node>& nodes, const trace::RankSet& ranks);

}  // namespace refrain::merge
