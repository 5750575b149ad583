// Laws that are sums: v = c0 + c1·φ1 + c2·φ2 + …, where the φ are functions of the place and the c of the
// number of ranks. At each number of ranks the c follow from the values by exact elimination; then each of
// them is an integer with a law of its own.
#pragma once

#include <optional>
#include <vector>

#include "extrapolate/features.hpp"

namespace refrain::extrapolate {

/// What the shape of a law costs, and what the law may cost as a whole.
struct ShapeCost {
  int cost = 0, limit = 0;
};
/// Offers the laws of this shape that give every value of the sequence.
void fit_basis(const Sequence& s, const std::vector<RankExpression>& basis, const ShapeCost& shape,
               const Features& features, std::vector<Candidate>& found);

/// c1, c2, … of v = base + c1·φ1 + c2·φ2 + …, if all runs together show them and they are the same in all.
std::optional<std::vector<int64_t>> same_factors(const Sequence& s, const std::vector<RankExpression>& basis,
                                                 int64_t base);

/// Whether the law gives every value.
bool holds(const RankExpression& law, const Sequence& s);

}  // namespace refrain::extrapolate
