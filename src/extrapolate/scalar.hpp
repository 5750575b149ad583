// Exact laws of a single integer over the number of ranks.
#pragma once

#include <vector>

#include "extrapolate/features.hpp"

namespace refrain::extrapolate {

/// The laws that give all observations, the simplest first, a few at most; none if there is no law. With no
/// observation at all, anything is right, and the law is 0. Valid until features are added.
const std::vector<Candidate>& fit_scalar(const std::vector<Observation>& seen, const Features& features);

/// Sorts by cost, drops what says the same as a simpler one, and keeps a few.
void keep_simplest(std::vector<Candidate>& candidates, const std::vector<int64_t>& sizes);

}  // namespace refrain::extrapolate
