// Ranks that do something on behalf of others, as the aggregators of collective I/O do: three of them share a
// file whose size grows with the number of ranks, say, and are ranks 0, 4 and 8 of 12. Seen from all ranks
// that has no form; seen from those who take part it is a share like any other:
//
//     rank       0      4      8           which is number   0      1      2
//     offset     0      32768  65536       number * 32768
//
// So the ranks that have a value are numbered, the number gets a law over the rank, and the values one over
// the number.
#include "extrapolate/basis.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/scalar.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {

void participant_family(Search& s) {
  if (s.depth > 0) return;
  Sequence numbers{{}, s.sequence.size}, renumbered;
  std::vector<Observation> counts;
  bool fewer = false, several = false, in_order = true, equally_apart = true;
  for (const Series& series : s.sequence.series) {
    auto n = static_cast<int64_t>(series.places.size());
    counts.push_back({series.nprocs, n});
    fewer |= n < s.sequence.size_at(series.nprocs);
    several |= n > 1;
    in_order &= static_cast<int64_t>(series.places.back()) == n - 1;
    Series &number_of = numbers.series.emplace_back(series),
           &by_number = renumbered.series.emplace_back(series);
    int64_t distance = s.sequence.size_at(series.nprocs) / n;
    for (uint32_t k = 0; k < n; ++k) {
      number_of.values[k] = by_number.places[k] = k;
      equally_apart &= series.places[k] == k * distance;
    }
  }
  if (!fewer || !several) return;
  std::vector<Candidate> count = fit_scalar(counts, s.knowledge.features);
  if (count.empty()) return;
  RankExpression apart =
      RankExpression::quotient(place(), RankExpression::quotient(s.sequence.size, count[0].law));
  std::vector<Candidate> number_laws;
  if (in_order)
    number_laws.push_back({place(), 0, 0});
  else if (holds(apart, numbers))
    number_laws.push_back({apart, 2, 0});
  else
    number_laws = fit(numbers, s.knowledge, s.depth + 1);
  if (number_laws.empty()) return;
  // Aggregators, as many as go into P: who takes part already tells how they are numbered.
  int cost_of_number = equally_apart && !in_order ? 2 : number_laws[0].cost + count[0].cost + 2;
  // Each has a block of a size that another argument shows.
  for (const RankExpression& block : s.knowledge.laws)
    if (!block.depends_on(trace::Variable::rank)) s.offer_basis({number_laws[0].law * block}, cost_of_number);
  renumbered.size = count[0].law;
  std::vector<Candidate> laws = fit(renumbered, s.knowledge, s.depth + 1);
  for (const Candidate& law : laws)
    s.offer(scale::substituted(law.law, trace::Variable::rank, number_laws[0].law), law.cost + cost_of_number,
            law.spare);
}

}  // namespace refrain::extrapolate
