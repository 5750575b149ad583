// See grids.hpp.
#include "extrapolate/grids.hpp"

#include <algorithm>

namespace refrain::extrapolate {
namespace {

/// Whether all laws that cost little more than the simplest have such a grid in them.
bool needs_grid(const std::vector<Candidate>& laws, int64_t dimensions, int margin) {
  return !laws.empty() && std::all_of(laws.begin(), laws.end(), [&](const Candidate& c) {
    return c.cost > laws[0].cost + margin || uses_grid(c.law, dimensions);
  });
}

/// Whether a quantity of a grid is in an expression that no quantity of other grids equals in all runs. A
/// root isn't one: ranks in teams of sqrt(P) say nothing of how others find their neighbors.
bool has_own_extent(const RankExpression& e, int64_t dimensions, const Features& features) {
  const std::vector<Feature>& extents = features.extents();
  auto equal = [&](const RankExpression& other) {
    return uses_grid(other, 5 - dimensions) &&
           std::all_of(features.sizes().begin(), features.sizes().end(), [&](int64_t size) {
             RankExpression::Point point{.nprocs = size};
             return other.at(point) == e.at(point);
           });
  };
  if (!uses_grid(e, dimensions) || e.operation() == trace::Operation::root) return false;
  if (std::any_of(extents.begin(), extents.end(), [&](const Feature& f) { return f.law == e; }))
    return std::none_of(extents.begin(), extents.end(), [&](const Feature& f) { return equal(f.law); });
  for (size_t i = 0; i < e.operands(); ++i)
    if (has_own_extent(e.operand(i), dimensions, features)) return true;
  return false;
}

}  // namespace

void GridNeeds::look_at(const std::vector<Candidate>& laws, const Features& features) {
  barely_.two |= needs_grid(laws, 2, 0);
  barely_.three |= needs_grid(laws, 3, 0);
  clearly_.two |= needs_grid(laws, 2, slack) && has_own_extent(laws[0].law, 2, features);
  clearly_.three |= needs_grid(laws, 3, slack) && has_own_extent(laws[0].law, 3, features);
}

GridNeeds::Grids GridNeeds::grids() const {
  if (clearly_.two != clearly_.three) return {clearly_.two ? 2 : 3, true};
  if (barely_.two != barely_.three) return {barely_.two ? 2 : 3, false};
  return {};
}

void GridSurvey::enter() {
  open_.push_back(needs_.size());
  needs_.emplace_back();
}

void GridSurvey::look_at(const std::vector<Candidate>& laws, const Features& features) {
  for (size_t node : open_) needs_[node].look_at(laws, features);
}

}  // namespace refrain::extrapolate
