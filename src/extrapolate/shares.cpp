// Totals that every run divided without a rest: 160 blocks at 4, 8, 16 and 32 ranks are 160/P each, and rank
// r begins at r*(160/P). At 64 ranks that can't be all, and most programs give one more to each of the first
// 160%64. So laws with such a division are offered in that form, too, and preferred; where it makes a
// difference, the other one is a doubt.
//
// What is shared are blocks, say, while rows of blocks or bytes of rows are what is seen: 2560/P is 16 times
// 160/P, if 160/P is seen elsewhere in the trace.
//
// Where shares are rounded, what is shared are elements rather than bytes if all values are multiples of
// their size: 4*(1000003/P), not 4000012/P, which is the same as long as little is left over.
#include <algorithm>
#include <optional>

#include "extrapolate/fit_law.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Operation;

constexpr size_t most_shares = 16;

/// The K of K/P, if P divides it in all runs.
std::optional<int64_t> exact_total(const RankExpression& e, const std::vector<int64_t>& sizes) {
  if (e.operation() != Operation::quotient || !e.operand(0).is_constant() ||
      !(e.operand(1) == RankExpression::nprocs()))
    return std::nullopt;
  int64_t total = e.operand(0).number();
  bool exact =
      total > 0 && std::all_of(sizes.begin(), sizes.end(), [&](int64_t p) { return total % p == 0; });
  return exact ? std::optional(total) : std::nullopt;
}

struct NotASum {};

/// Rewrites sums with such divisions in them.
class Sharer {
 public:
  Sharer(const Knowledge& knowledge, int64_t unit)
      : sizes_(knowledge.features.sizes()), totals_(knowledge.totals), unit_(unit) {}

  RankExpression rewrite(const RankExpression& e) {
    if (auto total = exact_total(e, sizes_)) return part(*total);
    if (!has_share(e)) return e;
    if (e.operation() == Operation::add) return rewrite(e.operand(0)) + rewrite(e.operand(1));
    if (e.operation() == Operation::subtract) return rewrite(e.operand(0)) - rewrite(e.operand(1));
    if (e.operation() != Operation::multiply) throw NotASum{};
    for (size_t i : {0, 1}) {
      const RankExpression &a = e.operand(i), &b = e.operand(1 - i);
      if (a.is_constant()) return a * rewrite(b);
      if (auto total = exact_total(b, sizes_); total && a == place()) return start(*total);
    }
    throw NotASum{};
  }
  bool changed() const { return changed_; }

 private:
  bool has_share(const RankExpression& e) const {
    if (exact_total(e, sizes_)) return true;
    for (size_t i = 0; i < e.operands(); ++i)
      if (has_share(e.operand(i))) return true;
    return false;
  }

  /// How many of what is shared.
  int64_t shared(int64_t total) {
    changed_ = true;
    if (unit_ > 1) return total % unit_ == 0 ? total / unit_ : total;
    for (int64_t known : totals_)
      if (total % known == 0) return known;
    return total;
  }
  RankExpression part(int64_t total) {
    int64_t n = shared(total);
    RankExpression p = RankExpression::nprocs(), all = number(n);
    return (RankExpression::quotient(all, p) +
            RankExpression::less(place(), RankExpression::remainder(all, p))) *
           number(total / n);
  }
  RankExpression start(int64_t total) {
    int64_t n = shared(total);
    RankExpression p = RankExpression::nprocs(), all = number(n);
    return (place() * RankExpression::quotient(all, p) +
            RankExpression::minimum(place(), RankExpression::remainder(all, p))) *
           number(total / n);
  }

  const std::vector<int64_t>& sizes_;
  const std::set<int64_t>& totals_;
  int64_t unit_;
  bool changed_ = false;
};

/// A law in which totals that something divides are counted in units. `part` is of it. Where no run has a
/// rest all shares have a factor in common, whatever is counted.
RankExpression in_units(RankExpression law, const RankExpression& part, int64_t unit,
                        const std::vector<int64_t>& sizes) {
  for (size_t i = 0; i < part.operands(); ++i) law = in_units(std::move(law), part.operand(i), unit, sizes);
  bool divides = part.operation() == Operation::quotient || part.operation() == Operation::remainder;
  if (!divides || !part.operand(0).is_constant() || part.operand(1).depends_on(trace::Variable::rank))
    return law;
  int64_t total = part.operand(0).number();
  bool exact = std::all_of(sizes.begin(), sizes.end(), [&](int64_t p) {
    int64_t n = part.operand(1).at(RankExpression::Point{.nprocs = p});
    return n != 0 && total % n == 0;
  });
  if (exact || total % unit != 0) return law;
  const RankExpression &n = part.operand(1), units = number(total / unit);
  RankExpression counted = part.operation() == Operation::quotient ? RankExpression::quotient(units, n)
                                                                   : RankExpression::remainder(units, n);
  return scale::replaced(law, part, counted * number(unit));
}

}  // namespace

std::optional<int64_t> shared_total(const RankExpression& e) {
  if (e.operation() != Operation::quotient || e.operand(1).depends_on(trace::Variable::rank))
    return std::nullopt;
  const RankExpression &all = e.operand(0), &n = e.operand(1);
  if (all.is_constant()) return all.number();
  bool rounded_up = all.operation() == Operation::add && all.operand(0) == n && all.operand(1).is_constant();
  return rounded_up ? std::optional(trace::wrap_add(all.operand(1).number(), 1)) : std::nullopt;
}

namespace {

/// The total of k*total/n.
std::optional<int64_t> rounded_total(const RankExpression& e) {
  bool quotient = e.operation() == Operation::quotient && !e.operand(1).depends_on(trace::Variable::rank);
  if (!quotient || e.operand(0).operation() != Operation::multiply) return std::nullopt;
  const RankExpression &k = e.operand(0).operand(0), &total = e.operand(0).operand(1);
  bool places = k.depends_on(trace::Variable::rank) && k.operation() != Operation::multiply;  // not k*P
  bool shared = total.is_constant() && places;
  return shared ? std::optional(total.number()) : std::nullopt;
}

/// Adds what is shared and by whom, if this is a share.
void add_share(const RankExpression& e, std::vector<std::pair<int64_t, RankExpression>>& shares) {
  auto total = shared_total(e);
  if (!total) total = rounded_total(e);
  if (!total) return;
  std::pair share(*total, e.operand(1));
  if (shares.size() < most_shares && std::find(shares.begin(), shares.end(), share) == shares.end())
    shares.push_back(std::move(share));
}

}  // namespace

/// Totals that all runs divided, and others with what divides them.
void Knowledge::learn_totals(const RankExpression& law) {
  if (auto total = exact_total(law, features.sizes())) {
    totals.insert(*total);
  } else {
    add_share(law, shares);
  }
  for (size_t i = 0; i < law.operands(); ++i) learn_totals(law.operand(i));
}

void Knowledge::guess(const RankExpression& law) {
  add_share(law, guesses);
  for (size_t i = 0; i < law.operands(); ++i) guess(law.operand(i));
}

void share_family(Search& s) {
  if (s.depth > 0 || is_mask(s.sequence)) return;
  constexpr int64_t element = 8;  ///< bytes, as most programs share numbers, if they share bytes
  std::vector<Candidate> before = s.found;
  for (const Candidate& law : before)
    for (int64_t unit : {int64_t{1}, element}) {
      try {
        Sharer sharer(s.knowledge, unit);
        RankExpression shared = sharer.rewrite(law.law);
        if (sharer.changed()) s.offer(shared, law.cost + (unit == 1 ? -1 : 1), law.spare);
      } catch (const NotASum&) {
      }
    }
  constexpr int64_t common_unit = 4;  ///< values are often multiples of less, by chance
  int64_t unit = unit_of(s.sequence, false);
  if (unit < 2) return;
  for (const Candidate& law : before)
    if (RankExpression counted = in_units(law.law, law.law, unit, s.knowledge.features.sizes());
        !(counted == law.law))
      s.offer(counted, law.cost + (unit < common_unit ? 1 : -1), law.spare);
}

}  // namespace refrain::extrapolate
