// Equality of trees by meaning, node by node: cheap, and sufficient for equal events. It is not necessary,
// as where folding found loops depends on call sites, too; unequal trees have to be run to be told apart.
#pragma once

#include <vector>

#include "compare/meaning.hpp"

namespace refrain::compare {

/// A list of nodes and the trace it belongs to.
struct Tree {
  Side side;
  const std::vector<trace::Node>& nodes;
};

/// True only if both run through the same events. O(nodes).
bool same_tree(const Meanings& meanings, Tree a, Tree b);
/// The same for single nodes with equal surroundings.
bool same_node(const Meanings& meanings, Side side_a, const trace::Node& a, Side side_b,
               const trace::Node& b);

/// Equal for trees of one side that are the same_tree.
uint64_t tree_hash(const Meanings& meanings, Tree tree);

}  // namespace refrain::compare
