// The search for the law of an integer over rank and number of ranks. Like the search for expressions at one
// number of ranks (merge/fit.hpp) it tries one family of forms after the other, but on all runs at once: a
// form has to hold for every rank of every run, with numbers that are themselves laws of the number of ranks.
//
//   families.cpp   lines, quadratics, points, steps, kinks, trees, shifts, exclusive or rank*(1048576/P)
//   blocks.cpp     a total shared by the ranks, evenly or with remainders; groups rank*(N/P)+min(rank,N%P)
//   group_sizes.cpp   groups of neighbors, the last of which is smaller            min(4,P-rank/4*4)
//   leaders.cpp    who acts for others                                            rank%(P/4)==0&&rank/(P/4)<4
//   participants.cpp   those ranks that take part, as aggregators do               rank/4*(P*8192/3)
//   shares.cpp     totals that all runs divided, where there may be a rest          160/P+(rank<160%P)
//   products.cpp   shares of several totals, one per dimension of a grid: sizes of blocks
//   grid_starts.cpp   where these begin
//   partial_shares.cpp   shares of a total that some places show; the ways of sharing are in sharing.cpp
//   dealt.cpp      blocks of a total, dealt in turn                    (62-rank+P-1)/P*16+(rank==62%P)*8
//   turned.cpp     owners in another order                                     P-1-rank, (rank+3)%P
//   digits.cpp     sums, conditions on digits; exceptions; periods           rank%dims(P,3)[2]*60
//
// A family is added by writing a function of the type Family and naming it in the list of fit.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "extrapolate/features.hpp"

namespace refrain::extrapolate {

/// What a search knows besides the sequence.
struct Knowledge {
  Features features;
  std::vector<RankExpression> laws{};  ///< found before, elsewhere in the trace: others may be made of them
  std::vector<int64_t> chunks{};       ///< constants of the trace into which something may be cut
  /// Laws of parts of sequences, found for some law of their size; others that are the same in all runs take
  /// its place.
  struct Digit {
    RankExpression size{};
    std::vector<Candidate> laws{};
    int budget = 0;  ///< what they may cost: all of those are here
  };
  std::map<std::vector<int64_t>, Digit> digits{};
  std::set<int64_t> totals{};                                ///< that every run divided without a rest
  std::vector<std::pair<int64_t, RankExpression>> shares{};  ///< other totals, and what divides them

  std::vector<std::pair<int64_t, RankExpression>> guesses{};  ///< the same of laws that nothing confirms

  void learn(const RankExpression& law);
  void learn_totals(const RankExpression& law);
  /// Totals of a law that nothing confirms.
  void guess(const RankExpression& law);
};

constexpr int any_cost = INT32_MAX / 2;

/// One search: families offer what they find.
struct Search {
  const Sequence& sequence;
  Knowledge& knowledge;
  unsigned depth = 0;     ///< of the recursion into digits and exceptions
  int budget = any_cost;  ///< laws that cost more are of no use
  std::vector<Candidate> found{};

  int cheapest() const;
  /// What a law may cost to be of use, given what was found: neither taken nor worth a doubt if it costs
  /// more.
  int limit() const;
  /// Offers the laws c0 + c1·φ1 + …; see basis.hpp.
  void offer_basis(const std::vector<RankExpression>& basis, int cost);
  /// Offers a law, if it holds.
  void offer(const RankExpression& law, int cost, int spare);
};
constexpr unsigned max_depth = 3;

using Family = void (*)(Search&);
void total_family(Search& s);
void known_share_family(Search& s);
void line_family(Search& s);
void point_family(Search& s);
void step_family(Search& s);
void curve_family(Search& s);
void tree_family(Search& s);
void shift_family(Search& s);
void block_family(Search& s);
void group_family(Search& s);
void group_size_family(Search& s);
void known_family(Search& s);
void leader_family(Search& s);
void node_family(Search& s);
void participant_family(Search& s);
void share_family(Search& s);
void digit_family(Search& s);
void conjunction_family(Search& s);
void partial_share_family(Search& s);
void product_family(Search& s);
void sum_family(Search& s);
void dealt_family(Search& s);
void turned_family(Search& s);
void period_family(Search& s);
void exception_family(Search& s);
void threshold_family(Search& s);

/// What each of n places may have of a total that doesn't go into n equal parts; see blocks.cpp.
std::vector<RankExpression> size_forms(const RankExpression& total, const RankExpression& n);
/// Where they may begin.
std::vector<RankExpression> start_forms(const RankExpression& total, const RankExpression& n);

/// What all values, or all differences between those of each series, have in common; 0 if nothing does.
int64_t unit_of(const Sequence& s, bool of_differences);

/// The total of a share, which may be rounded up: 1000 of 1000/P and of (P+999)/P.
std::optional<int64_t> shared_total(const RankExpression& e);

/// The laws of the sequence, the simplest first, a few at most. Each gives every value.
/// Those beyond the budget may be missing.
std::vector<Candidate> fit(const Sequence& s, Knowledge& knowledge, unsigned depth = 0,
                           int budget = any_cost);

/// Whether all values are 0 or 1.
bool is_mask(const Sequence& s);

}  // namespace refrain::extrapolate
