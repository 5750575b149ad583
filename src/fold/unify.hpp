// Merging along an alignment: two sequences of nodes become one that runs as either did. A node that one
// side lacks becomes a loop that runs zero times there: a conditional.
#pragma once

#include "fold/align.hpp"

namespace refrain::fold {

/// `left` was executed `left_times`, then `right` `right_times`; `alignment` covers all of both.
Sequence unify(Sequence left, uint64_t left_times, Sequence right, uint64_t right_times,
               const std::vector<Step>& steps, Work& work);

/// Whether a unification of these would stay below max_height.
bool low_enough(const View& left, const View& right);

}  // namespace refrain::fold
