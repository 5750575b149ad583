// See fit.hpp. Families are tried in the order of their plausibility and cost; once a law is found that is
// simpler than anything a later family can offer, the search ends.
#include "extrapolate/fit.hpp"

#include <algorithm>

#include "extrapolate/basis.hpp"
#include "extrapolate/scalar.hpp"
#include "trace/at_size.hpp"

namespace refrain::extrapolate {
namespace {

struct Stage {
  Family family;
  int least_cost;    ///< of what the family may find: it isn't asked if something cheaper is known
  bool last_resort;  ///< asked only if nothing is known
};

constexpr Stage stages[] = {
    {line_family, 0, false},       {known_share_family, 0, false},   {total_family, 3, false},
    {point_family, 3, false},      {step_family, 4, false},          {curve_family, 3, false},
    {shift_family, 4, false},      {known_family, 5, false},         {block_family, 7, false},
    {digit_family, 4, false},      {group_family, 8, false},         {participant_family, 9, false},
    {volume_family, 6, true},      {partial_volume_family, 9, true}, {period_family, 6, true},
    {conjunction_family, 7, true}, {exception_family, 8, true},      {threshold_family, 9, true},
    {share_family, 0, false}};

/// What a part of a sequence is, for those who have seen it before.
std::vector<int64_t> key_of(const Sequence& s, unsigned depth) {
  std::vector<int64_t> key{depth, s.size.is_constant()};
  for (const Series& series : s.series) {
    key.insert(key.end(),
               {series.nprocs, s.size_at(series.nprocs), static_cast<int64_t>(series.places.size())});
    key.insert(key.end(), series.places.begin(), series.places.end());
    key.insert(key.end(), series.values.begin(), series.values.end());
  }
  return key;
}

std::vector<Candidate> search(const Sequence& s, Knowledge& knowledge, unsigned depth) {
  Search search{s, knowledge, depth};
  for (const Stage& stage : stages)
    if (stage.last_resort ? search.found.empty() : search.cheapest() + 1 >= stage.least_cost)
      stage.family(search);
  keep_simplest(search.found, knowledge.features.sizes());
  return std::move(search.found);
}

}  // namespace

void Knowledge::learn(const RankExpression& law) {
  bool known = std::find(laws.begin(), laws.end(), law) != laws.end();
  if (!known && !law.is_constant() && !(law == RankExpression::rank())) laws.push_back(law);
  learn_totals(law);
}

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
  if (depth == 0) return search(s, knowledge, depth);
  std::vector<int64_t> key = key_of(s, depth);
  auto known = knowledge.digits.find(key);
  if (known == knowledge.digits.end()) {
    std::vector<Candidate> found = search(s, knowledge, depth);
    known =
        knowledge.digits.insert_or_assign(std::move(key), Knowledge::Digit{s.size, std::move(found)}).first;
  }
  std::vector<Candidate> laws = known->second.laws;
  if (!(known->second.size == s.size))
    for (Candidate& c : laws) c.law = trace::replaced(c.law, known->second.size, s.size);
  return laws;
}

}  // namespace refrain::extrapolate
