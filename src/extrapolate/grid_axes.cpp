// See grid_axes.hpp.
#include "extrapolate/grid_axes.hpp"

#include <numeric>

namespace refrain::extrapolate {

const std::vector<Grid>& possible_grids() {
  static const std::vector<Grid> all = [] {
    std::vector<Grid> grids;
    for (int64_t dimensions : {2, 3})
      for (bool by_rows : {true, false}) {
        Grid& grid = grids.emplace_back();
        RankExpression rest = place();
        for (int64_t i = 0; i < dimensions; ++i) {
          int64_t which = by_rows ? dimensions - 1 - i : i;
          RankExpression extent = RankExpression::grid(RankExpression::nprocs(), dimensions, which);
          bool outermost = i + 1 == dimensions;
          grid.push_back({extent, outermost ? rest : RankExpression::remainder(rest, extent)});
          rest = RankExpression::quotient(rest, extent);
        }
      }
    return grids;
  }();
  return all;
}

int64_t common_extent(const Axis& axis, const Sequence& s) {
  constexpr int64_t largest = 1 << 20;
  int64_t common = 1;
  for (const Series& series : s.series)
    if (common < largest)
      common = std::lcm(common, axis.extent.at(RankExpression::Point{.nprocs = series.nprocs}));
  return common < largest ? common : 1;
}

}  // namespace refrain::extrapolate
