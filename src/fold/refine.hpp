// Growing loops over their irregular neighbors: what stands to the right or left of a loop in a list of
// nodes is aligned with its body and, where that makes the list shorter, becomes iterations of it.
#pragma once

#include "fold/unify.hpp"

namespace refrain::fold {

/// Loops with longer bodies are left as they are: aligning takes time quadratic in the body.
constexpr size_t longest_aligned_body = 400;

/// Lets the loop nodes[i], entered once, absorb what follows it, until that no longer pays, the body has
/// become too long, or the work reaches `limit` steps. True if anything was absorbed.
bool grow_right(Sequence& nodes, size_t i, Work& work, uint64_t limit);
/// The same for what precedes it; `i` follows the loop.
bool grow_left(Sequence& nodes, size_t& i, Work& work, uint64_t limit);
/// Grows all loops of the list, small ones first, until nothing changes or the limit is reached.
void grow_all(Sequence& nodes, Work& work, uint64_t limit);

}  // namespace refrain::fold
