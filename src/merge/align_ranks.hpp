// Which nodes of two lists are to become one. Affects the size of the merged trace only: whatever is decided
// here, every rank keeps its calls and their order.
#pragma once

#include <cstddef>
#include <vector>

#include "merge/node_shape.hpp"

namespace refrain::merge {

struct Options {
  enum class Align : uint8_t {
    best,   ///< most events matched, where the lists are short enough; else greedy
    greedy  ///< one pass, as in the paper
  };
  Align align = Align::best;
  size_t window = 200;   ///< how far ahead the greedy pass looks for a match
  unsigned threads = 1;  ///< 0: as many as there are cores. The result doesn't depend on it
};

enum class Pairing : uint8_t {
  match,   ///< a[i] and b[j]
  only_a,  ///< a[i]
  only_b,  ///< b[j]
  loop_a,  ///< the loop a[i] and `count` nodes of b from j on, which are one iteration of it
  loop_b,  ///< `count` nodes of a from i on and the loop b[j]
};

struct Step {
  Pairing pairing;
  size_t i, j;
  size_t count = 1;
};

/// Whether two nodes can be merged: they are equal inside, and where their loops differ, one of them gets
/// loops around it. `level`: how deep their list stands in its tree.
bool can_be_one(const Shape& x, const Shape& y, size_t level);

/// In order, each node of both lists exactly once. `level`: how deep the lists stand in their trees.
std::vector<Step> align(const std::vector<Shape>& a, const std::vector<Shape>& b, size_t level,
                        const Options& options);

}  // namespace refrain::merge
