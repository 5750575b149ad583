// See doubts.hpp.
#include "extrapolate/doubts.hpp"

#include <algorithm>

namespace refrain::extrapolate {
namespace {

using trace::Doubt;
using trace::Operation;

constexpr size_t most_doubts_each = 4;
constexpr int complicated = 20;  ///< a cost at which some law or other fits by chance

class Doubter {
 public:
  Doubter(const Sequence& s, const Doubt& about, std::vector<Doubt>& doubts)
      : sequence_(s), about_(about), doubts_(doubts) {}

  /// Laws that fit all runs, the first of which was chosen.
  void alternatives(const std::vector<Candidate>& laws) {
    size_t end = std::min(laws.size(), most_doubts_each + 1);
    for (size_t i = 1; i < end && laws[i].cost <= laws[0].cost + slack; ++i)
      add("another law fits all runs as well", laws[0].law, laws[i].law);
  }

  /// Everywhere but in the runs.
  void always(bool condition, const char* reason) {
    if (condition) add(reason, number(1), RankExpression());
  }

  void sign(const RankExpression& law) {
    int64_t least = INT64_MAX;
    for (const Series& series : sequence_.series)
      for (int64_t v : series.values) least = std::min(least, v);
    if (least > 0)
      add("it was positive in all runs and isn't here", RankExpression::less(RankExpression(), law),
          number(1));
    else if (least == 0 && !is_mask(sequence_))
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
    for (const Series& series : sequence_.series)
      if (rest.at(RankExpression::Point{.nprocs = series.nprocs}) != 0) return;
    add("a division that had no remainder in any run has one", rest, RankExpression());
  }

 private:
  void add(const char* reason, const RankExpression& chosen, const RankExpression& other) {
    doubts_.push_back({about_.where, reason, chosen, other, about_.ranks});
  }

  const Sequence& sequence_;
  const Doubt& about_;
  std::vector<Doubt>& doubts_;
};

/// A condition that makes a difference within a single run only.
bool shown_once(const Sequence& s) {
  size_t no = runs_with(s, 0), yes = runs_with(s, 1);
  return is_mask(s) && no + yes > s.series.size() && std::min(no, yes) == 1;
}

}  // namespace

void add_doubts(const LawFinder::Found& found, const Sequence& s, const Doubt& about,
                std::vector<Doubt>& doubts) {
  const Candidate& law = found.laws[0];
  Doubter doubter(s, about, doubts);
  doubter.always(!found.confirmed, "only the largest run decides");
  doubter.always(law.spare < 1 && !law.law.is_constant(), "no run is left to confirm it");
  doubter.always(law.cost >= complicated, "only a complicated law fits");
  doubter.always(shown_once(s), "only one run shows it");
  doubter.alternatives(found.laws);
  if (law.law.is_constant()) return;
  doubter.sign(law.law);
  doubter.inexact_divisions(law.law);
}

}  // namespace refrain::extrapolate
