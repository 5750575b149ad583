// See fit.hpp. Families are tried in the order of their plausibility and cost; once a law is found that is
// simpler than anything a later family can offer, the search ends.
#include "extrapolate/fit_law.hpp"

#include <algorithm>

#include "extrapolate/basis.hpp"
#include "extrapolate/grids.hpp"
#include "extrapolate/scalar.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

struct FamilyTurn {
  Family family;
  int least_cost;    ///< of what the family may find: it isn't asked if something cheaper is known
  bool last_resort;  ///< asked only if nothing is known
  bool of_place;     ///< finds laws that depend on the place, and no others
};

constexpr FamilyTurn stages[] = {
    {line_family, 0, false, false},         {node_family, 4, false, true},
    {leader_family, 5, false, true},        {known_share_family, 0, false, false},
    {total_family, 3, false, false},        {point_family, 3, false, true},
    {step_family, 4, false, true},          {curve_family, 3, false, true},
    {shift_family, 4, false, true},         {tree_family, 7, false, true},
    {known_family, 5, false, false},        {block_family, 7, false, false},
    {digit_family, 4, false, true},         {group_family, 8, false, false},
    {group_size_family, 1, false, false},   {participant_family, 3, false, false},
    {partial_share_family, 4, false, true}, {product_family, 8, false, false},
    {sum_family, 9, false, true},           {dealt_family, 8, false, true},
    {turned_family, 10, false, true},       {period_family, 6, true, false},
    {conjunction_family, 7, true, false},   {exception_family, 8, true, false},
    {threshold_family, 9, true, false},     {share_family, 0, false, false}};

/// What a part of a sequence is, for those who have seen it before.
std::vector<int64_t> key_of(const Sequence& s, unsigned depth) {
  std::vector<int64_t> key{depth, s.size.is_constant(), s.condition};
  for (const Series& series : s.series) {
    key.insert(key.end(),
               {series.nprocs, s.size_at(series.nprocs), static_cast<int64_t>(series.places.size())});
    key.insert(key.end(), series.places.begin(), series.places.end());
    key.insert(key.end(), series.values.begin(), series.values.end());
  }
  return key;
}

/// If nothing is found within the budget, last resorts are of use only if there is nothing beyond it either:
/// then all is looked for, and the budget raised.
std::vector<Candidate> search(const Sequence& s, Knowledge& knowledge, unsigned depth, int& budget) {
  Search searching{s, knowledge, depth, budget};
  bool plain = is_plain(s);
  for (const FamilyTurn& stage : stages) {
    if (stage.least_cost > budget || (plain && stage.of_place)) continue;
    bool resort = stage.last_resort && searching.found.empty();
    if (resort && budget < any_cost) return search(s, knowledge, depth, budget = any_cost);
    if (stage.last_resort ? resort : searching.cheapest() + 1 >= stage.least_cost) stage.family(searching);
    if (s.condition) std::erase_if(searching.found, [](const Candidate& c) { return !is_condition(c.law); });
  }
  keep_simplest(searching.found, knowledge.features.sizes());
  return std::move(searching.found);
}

}  // namespace

void Knowledge::learn(const RankExpression& law) {
  bool known = std::find(laws.begin(), laws.end(), law) != laws.end();
  if (!known && !law.is_constant() && !(law == RankExpression::rank())) laws.push_back(law);
  learn_totals(law);
}

int Search::cheapest() const {
  int cost = any_cost;
  for (const Candidate& c : found) cost = std::min(cost, c.cost);
  return cost;
}

int Search::limit() const {
  constexpr int rewriting = 1;  // by how much less a law may cost in another form, at each depth
  int useful = cheapest() + slack + other_grid_cost + rewriting * (static_cast<int>(depth) + 1);
  return std::min(budget, useful);
}

void Search::offer_basis(const std::vector<RankExpression>& basis, int cost) {
  fit_basis(sequence, basis, {cost, limit()}, knowledge.features, found);
}

void Search::offer(const RankExpression& law, int cost, int spare) {
  if (cost <= limit() && holds(law, sequence)) found.push_back({law, cost, spare});
}

bool is_mask(const Sequence& s) {
  for (const Series& series : s.series)
    for (int64_t v : series.values)
      if (v != 0 && v != 1) return false;
  return true;
}

std::vector<Candidate> fit(const Sequence& s, Knowledge& knowledge, unsigned depth, int budget) {
  if (s.series.empty()) return {{RankExpression(), 0, 0}};
  if (depth == 0) return search(s, knowledge, depth, budget);
  std::vector<int64_t> key = key_of(s, depth);
  auto known = knowledge.digits.find(key);
  if (known == knowledge.digits.end() || known->second.budget < budget) {
    std::vector<Candidate> found = search(s, knowledge, depth, budget);
    known =
        knowledge.digits.insert_or_assign(std::move(key), Knowledge::Digit{s.size, std::move(found), budget})
            .first;
  }
  std::vector<Candidate> laws = known->second.laws;
  if (!(known->second.size == s.size))
    for (Candidate& c : laws) c.law = scale::replaced(c.law, known->second.size, s.size);
  return laws;
}

}  // namespace refrain::extrapolate
