// See fit.hpp. Families are tried in the order of their plausibility and cost; once a law is found that is
// simpler than anything a later family can offer, the search ends.
#include "extrapolate/fit.hpp"

#include <algorithm>

#include "extrapolate/basis.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
namespace {

struct Stage {
  Family family;
  int least_cost;  ///< of what the family may find: it isn't asked if something cheaper is known
};

constexpr Stage stages[] = {
    {line_family, 0},     {point_family, 3},  {step_family, 4},       {curve_family, 3},
    {shift_family, 4},    {known_family, 5},  {block_family, 7},      {digit_family, 4},
    {group_family, 8},    {period_family, 6}, {conjunction_family, 7}, {exception_family, 8},
    {threshold_family, 9}};

}  // namespace

int Search::cheapest() const {
  int cost = INT32_MAX / 2;
  for (const Candidate& c : found) cost = std::min(cost, c.cost);
  return cost;
}

void Search::offer_basis(const std::vector<RankExpression>& basis, int cost) {
  fit_basis(sequence, basis, cost, knowledge.features, found);
}

void Search::offer(const RankExpression& law, int cost, int spare) {
  if (holds(law, sequence)) found.push_back({law, cost, spare});
}

bool is_mask(const Sequence& s) {
  for (const Series& series : s.series)
    for (int64_t v : series.values)
      if (v != 0 && v != 1) return false;
  return true;
}

std::vector<Candidate> fit(const Sequence& s, Knowledge& knowledge, unsigned depth) {
  if (s.series.empty()) return {{RankExpression(), 0, 0}};
  Search search{s, knowledge, depth};
  for (const Stage& stage : stages)
    if (search.cheapest() + 1 >= stage.least_cost) stage.family(search);
  keep_simplest(search.found, knowledge.features.sizes());
  return std::move(search.found);
}

}  // namespace refrain::extrapolate
