// What isn't certain about a law, although it fits all runs.
#pragma once

#include <vector>

#include "extrapolate/law_finder.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// Adds what may be wrong with the first of the laws that were found for `s`. `about` says where it stands
/// and on which ranks; `grids`, what is known of those around it.
void add_doubts(const LawFinder::Found& found, const Sequence& s, const trace::Doubt& about,
                const GridNeeds::Grids& grids, std::vector<trace::Doubt>& doubts);

/// A trace keeps expressions up to some size: what is too large to be kept is a doubt at every number of
/// ranks.
void keep_within_bounds(std::vector<trace::Doubt>& doubts);

}  // namespace refrain::extrapolate
