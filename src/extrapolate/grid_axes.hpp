// Grids of ranks as MPI_Dims_create makes them: along which dimensions programs share something.
#pragma once

#include <vector>

#include "extrapolate/run_values.hpp"

namespace refrain::extrapolate {

/// A dimension of a grid: how long it is, and where along it a place is.
struct Axis {
  RankExpression extent{}, digit{};
};
using Grid = std::vector<Axis>;

/// Of two and of three dimensions, by rows and by columns.
const std::vector<Grid>& possible_grids();
/// What the extents in all runs divide, the least that they do; 1 if it is large.
int64_t common_extent(const Axis& axis, const Sequence& s);

}  // namespace refrain::extrapolate
