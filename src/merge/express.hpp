// From the values of all ranks to one expression: the last step of a merge. While ranks are merged, a number
// that differs between them is a column, by place in the rank set of its node; at the end each column is
// replaced by the shortest expression that gives exactly its values, where there is one.
#pragma once

#include <optional>

#include "trace/column.hpp"
#include "trace/rank_expression.hpp"
#include "trace/rank_set.hpp"

namespace refrain::merge {

/// An expression whose value at the k-th rank of `ranks` is values[k], checked at every rank; none if only a
/// table is left, or if the numbers of ranks and values differ. Constants and lines take time in the number
/// of runs, everything else a bounded number of steps per rank; memory is some twenty bytes per rank while it
/// runs.
std::optional<trace::RankExpression> express(const trace::RankSet& ranks, const trace::Column& values);

/// The same for a column known to belong to another: values[k] = values[0] + factor * (of[0] + … + of[k-1]).
std::optional<trace::RankExpression> express_as_prefix_sum(const trace::RankSet& ranks,
                                                           const trace::Column& values,
                                                           const trace::Column& of);

/// There is an expression for any three values: rank*660448 + rank/3*130896 - 524336. Unless it has fewer
/// integers than there are values, it is only a longer table. (Two values are a line.)
bool says_nothing(const trace::RankExpression& expression, uint64_t values);

}  // namespace refrain::merge
