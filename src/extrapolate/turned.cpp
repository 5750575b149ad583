// Owners in another order: blocks of a total dealt from the last rank to the first, or beginning some ranks
// further on. Seen by owner, values have a form that they haven't by rank.
#include "extrapolate/fit_law.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

/// Looks for laws over owners, place `owner` of the number of places.
template <class Owner>
void by_owner(Search& s, const RankExpression& owner, Owner owner_of) {
  constexpr int cost = 3, simple = 8;       ///< of the law by owner: a complicated one is none in disguise
  constexpr unsigned deep = max_depth - 1;  // without exceptions
  Sequence turned{{}, s.sequence.size};
  for (const Series& series : s.sequence.series) {
    Series& out = turned.series.emplace_back(series);
    int64_t n = std::ssize(series.places);
    for (int64_t k = 0; k < n; ++k)
      out.values[static_cast<size_t>(owner_of(k, n))] = series.values[static_cast<size_t>(k)];
  }
  for (const Candidate& c : fit(turned, s.knowledge, deep, simple))
    if (c.cost <= simple)
      s.offer(scale::substituted(c.law, trace::Variable::rank, owner), c.cost + cost, c.spare);
}

}  // namespace

void turned_family(Search& s) {
  if (s.depth > 0 || is_mask(s.sequence) || !s.sequence.is_complete()) return;
  const RankExpression& n = s.sequence.size;
  by_owner(s, n - number(1) - place(), [](int64_t k, int64_t all) { return all - 1 - k; });
  constexpr int64_t furthest = 4;
  for (int64_t by = 1; by <= furthest; ++by) {
    by_owner(s, RankExpression::remainder(place() + number(by), n),
             [&](int64_t k, int64_t all) { return (k + by) % all; });
    by_owner(s, RankExpression::remainder(place() + n - number(by), n),
             [&](int64_t k, int64_t all) { return (k + all * by - by) % all; });
  }
}

}  // namespace refrain::extrapolate
