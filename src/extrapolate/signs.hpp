// What can be told of the sign of a law by its form alone.
#pragma once

#include "extrapolate/run_values.hpp"

namespace refrain::extrapolate {

/// Whether it is never below `least`, 0 or 1, on any rank of any number of ranks, as long as it stays within
/// 64 bits. False: that isn't known.
bool is_at_least(const RankExpression& law, int64_t least);

}  // namespace refrain::extrapolate
