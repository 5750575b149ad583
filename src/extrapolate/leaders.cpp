// Ranks that act for those beside them. Ranks stand in nodes of g, the last of which may be incomplete, and
// the first or the last rank of a node acts for all; or n aggregators stand as far apart as P allows, and
// nobody behind the last of them takes part:
//
//     9 ranks in nodes of 4     leaders 0, 4, 8 or 3, 7, 8
//     4 aggregators of 9 ranks  ranks 0, 2, 4, 6                P/4 apart
//
// How many there are and how far apart they stand is read off the ranks of each run.
#include <algorithm>
#include <optional>

#include "extrapolate/fit_law.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
namespace {

constexpr int64_t largest_node = 64;

/// How many places there are between those that the largest run has; nothing if that isn't regular.
std::optional<int64_t> distance(const Series& series) {
  const std::vector<uint32_t>& k = series.places;
  if (k.size() < 2) return std::nullopt;
  int64_t apart = int64_t{k[1]} - k[0];
  for (size_t i = 2; i + 1 < k.size(); ++i)  // the last one may stand nearer
    if (int64_t{k[i]} - k[i - 1] != apart) return std::nullopt;
  return apart > 1 && apart <= largest_node ? std::optional(apart) : std::nullopt;
}

RankExpression first_of_node(int64_t g) { return place() / g * number(g); }

/// The places of a mask that take part.
Series those_of(const Series& mask) {
  Series out{.nprocs = mask.nprocs};
  for (size_t i = 0; i < mask.places.size(); ++i)
    if (mask.values[i] == 1) {
      out.places.push_back(mask.places[i]);
      out.values.push_back(1);
    }
  return out;
}

/// Aggregators: as many as there are in each run, or as there may be.
std::vector<Candidate> counts_of(const Search& s, const std::vector<Series>& present) {
  std::vector<Observation> counts;
  int64_t most = 0;
  bool limited = true;
  for (const Series& series : present) {
    counts.push_back({series.nprocs, std::ssize(series.places)});
    most = std::max(most, std::ssize(series.places));
  }
  for (const Observation& o : counts) limited &= o.value == std::min(most, s.sequence.size_at(o.nprocs));
  std::vector<Candidate> laws = fit_scalar(counts, s.knowledge.features);
  if (laws.size() > 3) laws.resize(3);
  if (limited && (laws.empty() || !laws[0].law.is_constant()))
    laws.insert(laws.begin(), {RankExpression::minimum(s.sequence.size, number(most)), 1,
                               static_cast<int>(counts.size()) - 1});
  return most > 1 ? laws : std::vector<Candidate>{};
}

}  // namespace

/// Numbers of nodes of which one rank each has a value.
void node_family(Search& s) {
  if (s.depth > 0) return;
  if (std::optional<int64_t> apart = distance(s.sequence.series.back())) s.offer_basis({place() / *apart}, 4);
}

void leader_family(Search& s) {
  if (s.depth > 1 || !is_mask(s.sequence)) return;
  const RankExpression& n = s.sequence.size;
  std::vector<Series> present;
  for (const Series& series : s.sequence.series) {
    present.push_back(those_of(series));
    if (present.back().places.empty()) return;
  }
  auto sizes = static_cast<int>(distinct_sizes(s.sequence));
  const std::vector<uint32_t>& k = present.back().places;
  if (k.size() > 1 && k[1] > k[0] + 1)
    s.offer(RankExpression::equal(place() % (int64_t{k[1]} - k[0]), number(k[0])), 4, sizes - 1);
  int64_t g = int64_t{k[0]} + 1;
  if (g > 1 && g <= largest_node && k.size() > 1)
    s.offer(RankExpression::equal(place(),
                                  RankExpression::minimum(first_of_node(g) + number(g - 1), n - number(1))),
            5, sizes - 1);
  for (const Candidate& count : counts_of(s, present)) {
    RankExpression apart = RankExpression::quotient(n, count.law);
    RankExpression up = RankExpression::quotient(n + count.law - number(1), count.law);
    auto at_step = [](const RankExpression& step) {
      return RankExpression::equal(RankExpression::remainder(place(), step), number(0));
    };
    RankExpression within = RankExpression::less(RankExpression::quotient(place(), apart), count.law);
    s.offer(RankExpression::both(at_step(apart), within), 6 + count.cost, count.spare);
    constexpr int unusual = 2;  ///< groups of equal length rather than as equal as can be
    s.offer(at_step(up), 6 + count.cost + unusual, count.spare);
  }
}

}  // namespace refrain::extrapolate
