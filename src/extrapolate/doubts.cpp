// See doubts.hpp.
#include "extrapolate/doubts.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "extrapolate/price.hpp"
#include "extrapolate/rivals.hpp"
#include "extrapolate/signs.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Doubt;
using trace::Operation;

constexpr size_t most_doubts_each = 7;
/// Bits by which a law may be longer than the values that it stands for, before it fits by chance.
constexpr int by_chance = 6;
/// Bits that one run may say alone: a longer law has to be confirmed by another.
constexpr int of_one_run = 12;
constexpr size_t enough_rests = 3;  ///< runs that tell what is shared from products of shares

/// The least one of positive numbers; 0, of which nothing is known to be a divisor, if it gets too large.
int64_t common_multiple(int64_t a, int64_t b) {
  constexpr int64_t largest = int64_t{1} << 50;
  if (a < 1 || b < 1) return 0;
  int64_t factor = b / std::gcd(a, b);
  return factor > largest / a ? 0 : a * factor;
}

/// What is left of it, or 1 if it isn't known.
RankExpression rest_of(int64_t common, const RankExpression& extent) {
  return common == 0 ? number(1) : RankExpression::remainder(number(common), extent);
}

class Doubter {
 public:
  Doubter(const Sequence& s, const Doubt& about, std::vector<Doubt>& doubts)
      : sequence_(s), about_(about), doubts_(doubts) {}

  /// Laws that fit all runs, the first of which was chosen.
  void alternatives(const std::vector<Candidate>& laws, const GridNeeds::Grids& grids) {
    size_t end = std::min(laws.size(), most_doubts_each + 1);
    for (size_t i = 1; i < end; ++i) {
      // What made one kind of grid preferable must not hide the other, if it is but this law itself.
      bool other_grid =
          !grids.clearly && grids.dimensions != 0 && uses_grid(laws[i].law, 5 - grids.dimensions);
      if (laws[i].cost <= laws[0].cost + slack + (other_grid ? other_grid_cost : 0))
        add("another law fits all runs as well", laws[0].law, laws[i].law);
    }
  }

  /// Everywhere but in the runs.
  void always(bool condition, const char* reason) {
    if (condition) add(reason, number(1), RankExpression());
  }

  /// A loop that makes no iteration is nothing special.
  void sign(const RankExpression& law) {
    int64_t least = about_.where.ends_with(number_of_iterations) ? 0 : INT64_MAX;
    for (const Series& series : sequence_.series)
      for (int64_t v : series.values) least = std::min(least, v);
    if (least > 0 && !is_at_least(law, 1))
      add("it was positive in all runs and isn't here", RankExpression::less(RankExpression(), law),
          number(1));
    else if (least == 0 && !is_mask(sequence_) && !is_at_least(law, 0))
      add("it was never negative and is here", RankExpression::at_least(law, RankExpression()), number(1));
  }

  /// Divisions by something that depends on P, exact in all runs: what happens to a rest was never seen.
  void inexact_divisions(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) inexact_divisions(e.operand(i));
    bool of_p = e.operation() == Operation::quotient && !e.depends_on(trace::Variable::rank);
    bool by_number = e.operation() == Operation::divide && !e.depends_on(trace::Variable::rank);
    if (!of_p && !by_number) return;
    RankExpression rest =
        of_p ? RankExpression::remainder(e.operand(0), e.operand(1)) : e.operand(0) % e.number();
    int64_t common = 1;
    for (const Series& series : sequence_.series) {
      RankExpression::Point here{.nprocs = series.nprocs};
      if (rest.at(here) != 0) return;
      if (of_p) common = common_multiple(common, e.operand(1).at(here));
    }
    // Rows of a grid: what is shared may be less than what is divided, columns or bytes.
    if (of_p && e.operand(1).operation() == Operation::grid && e.operand(0).is_constant())
      rest = rest_of(common, e.operand(1));
    add("a division that had no remainder in any run has one", rest, RankExpression());
  }

  /// Who of a group takes part, where all groups were complete in all runs: `part` is of the law.
  void incomplete_groups(const RankExpression& part) {
    for (size_t i = 0; i < part.operands(); ++i) incomplete_groups(part.operand(i));
    if (part.operation() != Operation::modulo || !(part.operand(0) == place())) return;
    bool complete = std::all_of(sequence_.series.begin(), sequence_.series.end(), [&](const Series& series) {
      return sequence_.size_at(series.nprocs) % part.number() == 0;
    });
    if (complete)
      add("ranks were in complete groups in all runs", sequence_.size % part.number(), RankExpression());
  }

  /// How many are in the last of several groups, where it was complete in all runs: `part` is of the law.
  void incomplete_last_group(const RankExpression& part) {
    for (size_t i = 0; i < part.operands(); ++i) incomplete_last_group(part.operand(i));
    if (part.operation() != Operation::minimum || !part.depends_on(trace::Variable::rank)) return;
    for (size_t i : {0, 1}) {
      const RankExpression &group = part.operand(i), &behind = part.operand(1 - i);
      if (!group.is_constant() || group.number() < 2) continue;
      RankExpression number_of_group = place() / group.number();
      if (!(behind == sequence_.size - number_of_group * group)) continue;
      RankExpression rest = sequence_.size % group.number();
      bool complete =
          std::all_of(sequence_.series.begin(), sequence_.series.end(), [&](const Series& series) {
            RankExpression::Point here{.nprocs = series.nprocs};
            return sequence_.size_at(series.nprocs) < group.number() || rest.at(here) == 0;
          });
      if (complete) add("the last group was complete in all runs", rest, RankExpression());
    }
  }

  void rivals(const RankExpression& law, const LawFinder& finder) {
    add_all(law, rivals_of(law, sequence_, finder.knowledge(), finder.grids()));
    if (!about_.where.ends_with(which_ranks) && !about_.where.ends_with(which_string))
      add_all(law, more_groups(law, sequence_, finder.knowledge()));
    if (about_.where.ends_with(number_of_iterations))
      add_all(law, pieces_of_known(law, sequence_, finder.knowledge()));
  }

  /// What each rank of a grid has of a total may be a product of shares, one per dimension. Nothing was left
  /// over in any run as long as extents divide what those of the runs divide.
  void product_of_shares() {
    RankExpression rests;
    for (int64_t dimensions : {2, 3})
      for (int64_t i = 0; i < dimensions; ++i) {
        RankExpression extent = RankExpression::grid(RankExpression::nprocs(), dimensions, i);
        int64_t common = 1;
        for (const Series& series : sequence_.series)
          common = common_multiple(common, extent.at(RankExpression::Point{.nprocs = series.nprocs}));
        rests = rests + rest_of(common, extent);
      }
    add("it may be a product of shares, one per dimension of a grid, with rests that no run had", rests,
        RankExpression());
  }

 private:
  /// Where there are too many to be kept, they may differ anywhere.
  void add_all(const RankExpression& law, const std::vector<Rival>& rivals) {
    std::map<std::string_view, size_t> often;
    for (const Rival& rival : rivals) ++often[rival.reason];
    for (const Rival& rival : rivals) {
      size_t& n = often[rival.reason];
      if (n > 0 && n <= most_doubts_each) add(rival.reason, law, rival.law);
      if (n > most_doubts_each) always(true, rival.reason), n = 0;
    }
  }

  void add(const char* reason, const RankExpression& chosen, const RankExpression& other) {
    doubts_.push_back({about_.where, reason, chosen, other, about_.ranks});
  }

  const Sequence& sequence_;
  const Doubt& about_;
  std::vector<Doubt>& doubts_;
};

/// Whether no run shows two ranks.
bool shows_one_rank(const Sequence& s) {
  return std::all_of(s.series.begin(), s.series.end(),
                     [](const Series& series) { return series.places.size() == 1; });
}

/// All different ones.
std::set<int64_t> values_of(const Sequence& s) {
  std::set<int64_t> values;
  for (const Series& series : s.series) values.insert(series.values.begin(), series.values.end());
  return values;
}

/// By P, or by a product of extents.
bool is_divided_by_ranks(const RankExpression& e) {
  if (e.operation() != Operation::quotient) return false;
  const RankExpression& by = e.operand(1);
  return by == RankExpression::nprocs() ||
         (by.operation() == Operation::multiply && !by.depends_on(trace::Variable::rank));
}

bool has_division_by_ranks(const RankExpression& e) {
  if (is_divided_by_ranks(e)) return true;
  for (size_t i = 0; i < e.operands(); ++i)
    if (has_division_by_ranks(e.operand(i))) return true;
  return false;
}

/// K/P, or K divided by extents, without a rest in any run, or a share of K times something larger than an
/// element.
bool may_be_product(const RankExpression& e, const Sequence& s) {
  constexpr int64_t element = 16;
  auto is_large = [](const RankExpression& part) { return part.is_constant() && part.number() > element; };
  if (is_divided_by_ranks(e) && e.operand(0).is_constant())
    return std::all_of(s.series.begin(), s.series.end(), [&](const Series& series) {
      int64_t by = e.operand(1).at(RankExpression::Point{.nprocs = series.nprocs});
      return by != 0 && e.operand(0).number() % by == 0;
    });
  if (e.operation() == Operation::multiply)
    for (size_t i : {0, 1})
      if (is_large(e.operand(1 - i)) && has_division_by_ranks(e.operand(i))) return true;
  for (size_t i = 0; i < e.operands(); ++i)
    if (may_be_product(e.operand(i), s)) return true;
  return false;
}

/// In how many runs something that is divided by P, or by extents, leaves a rest; of them, those whose ranks
/// make a grid.
struct RunsWithRest {
  size_t all = 0, with_grid = 0;
};
RunsWithRest runs_with_rest(const RankExpression& e, const Sequence& s) {
  RunsWithRest most;
  auto more = [&](const RunsWithRest& runs) {
    if (std::pair(runs.with_grid, runs.all) > std::pair(most.with_grid, most.all)) most = runs;
  };
  for (size_t i = 0; i < e.operands(); ++i) more(runs_with_rest(e.operand(i), s));
  if (!is_divided_by_ranks(e)) return most;
  RankExpression rest = RankExpression::remainder(e.operand(0), e.operand(1));
  RankExpression side = RankExpression::grid(RankExpression::nprocs(), 2, 1);
  RunsWithRest here;
  for (const Series& series : s.series) {
    RankExpression::Point point{.rank = 1, .nprocs = series.nprocs};
    if (rest.at(point) == 0) continue;
    ++here.all;
    here.with_grid += side.at(point) > 1;
  }
  more(here);
  return most;
}

/// Whether the runs show too little for a law: it is longer than what it says; or it is long, and the other
/// runs don't predict the largest, or leave none to confirm its numbers.
bool has_little_evidence(const LawFinder::Found& found, const Sequence& s) {
  const Candidate& law = found.laws[0];
  int bits = bits_of_law(law.law);
  bool confirmed = found.confirmed && law.spare > 0;
  return bits > bits_of_values(s) + by_chance || (!confirmed && bits >= of_one_run);
}

}  // namespace

bool is_far_fetched(const LawFinder::Found& found, const Sequence& s) {
  constexpr int far_fetched = 18;
  int cost = found.laws[0].cost;
  return !found.confirmed && cost >= far_fetched && static_cast<int>(values_of(s).size()) < cost;
}

void add_doubts(const LawFinder::Found& found, const Sequence& s, const Doubt& about, const LawFinder& finder,
                std::vector<Doubt>& doubts) {
  const Candidate& law = found.laws[0];
  const GridNeeds::Grids& grids = finder.grids();
  Doubter doubter(s, about, doubts);
  doubter.alternatives(found.laws, grids);
  if (law.law.is_constant()) return;
  doubter.always(has_little_evidence(found, s), "the runs show too little to tell");
  doubter.rivals(law.law, finder);
  if (is_mask(s)) doubter.incomplete_groups(law.law);
  doubter.incomplete_last_group(law.law);
  if ((grids.dimensions != 0 || !s.is_complete()) && may_be_product(law.law, s)) {
    // Rests that products of shares would not have had make it what it seems to be.
    RunsWithRest rests = runs_with_rest(law.law, s);
    bool telling = rests.with_grid >= enough_rests && !shows_one_rank(s);
    doubter.always(rests.all > 0 && !telling, "it may be a product of shares, one per dimension of a grid");
    if (rests.all == 0) doubter.product_of_shares();
  }
  doubter.sign(law.law);
  doubter.inexact_divisions(law.law);
}

void keep_within_bounds(std::vector<Doubt>& doubts) {
  for (Doubt& d : doubts) {
    if (!d.ranks.within_bounds()) d.ranks = number(1);
    if (d.chosen.within_bounds() && d.other.within_bounds()) continue;
    d.chosen = number(1);
    d.other = RankExpression();
  }
}

}  // namespace refrain::extrapolate
