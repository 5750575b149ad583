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

}  // namespace

void GridNeeds::look_at(const std::vector<Candidate>& laws) {
  for (auto [needs, margin] : {std::pair{&clearly_, slack}, std::pair{&barely_, 0}}) {
    needs->two |= needs_grid(laws, 2, margin);
    needs->three |= needs_grid(laws, 3, margin);
  }
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

void GridSurvey::look_at(const std::vector<Candidate>& laws) {
  for (size_t node : open_) needs_[node].look_at(laws);
}

}  // namespace refrain::extrapolate
