// Relaxed alignment of two sequences of nodes: which of them correspond, which occur on one side only.
// It decides whether a stretch of the residue is one more, irregular, iteration of a loop.
#pragma once

#include <cstdint>
#include <vector>

#include "fold/tree.hpp"

namespace refrain::fold {

/// What folding has cost so far.
struct Work {
  uint64_t steps = 0;  ///< everything, in elementary steps
  uint64_t cells = 0;  ///< the part that aligning took
};

using View = std::vector<const LiveNode*>;
View view(const Sequence& nodes);

struct Step {
  enum Kind : uint8_t {
    match,       ///< left[i] with right[j]
    only_left,   ///< left[i] has no counterpart
    only_right,  ///< right[j] has none
    unrolled,    ///< the loop left[i] with its body written out once, right[j, j+length)
    rolled,      ///< left[i, i+length), written out, with the loop right[j]
    unreached,
  };
  Kind kind;
  uint32_t i, j, length;
};

struct Alignment {
  std::vector<Step> steps;
  uint32_t used = 0;  ///< how many nodes of the right side take part
  int score = 0;
};

/// The best alignment of all of `left` with all of `right`, or with its best prefix if `free_end`.
/// O(|left|·|right|) cells, counted in `work`.
Alignment align(const View& left, const View& right, bool free_end, Work& work);

/// Whether describing `right` as an irregular iteration of a loop with body `left` is clearly shorter than
/// keeping it apart.
bool worth_absorbing(const View& left, const View& right, const Alignment& alignment);

/// Whether two loops run largely the same events.
bool similar(const LiveNode& a, const LiveNode& b);

}  // namespace refrain::fold
