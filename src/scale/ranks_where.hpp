// Which ranks a law holds for, at one number of ranks.
#pragma once

#include <cstdint>

#include "trace/rank_expression.hpp"
#include "trace/rank_set.hpp"

namespace refrain::scale {

/// The ranks below `nprocs` for which the law, in which there is no variable but the rank, isn't zero. Takes
/// time by the number of intervals in the result, not by the number of ranks, for laws made of comparisons,
/// quotients and remainders.
trace::RankSet ranks_where(const trace::RankExpression& law, uint32_t nprocs);

}  // namespace refrain::scale
