// See ranks_where.hpp. A law is looked at over a whole interval of ranks at once: from the least and greatest
// value of its operands follow those of an expression. If the law can't be zero anywhere in the interval, or
// is zero everywhere, the interval is done; else it is halved. `rank%1024 != 1023` over 0 … 4095 is unclear,
// over 0 … 1022 it holds, over 1023 it doesn't.
//
// That takes about as many steps as the result has ends of intervals, times the logarithm of the number of
// ranks. Laws that repeat themselves, because the rank appears in them only as a remainder, are looked at
// over one period. Where laws are too irregular, ranks are tried one by one.
#include "scale/ranks_where.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace refrain::scale {

using namespace trace;

namespace {

using Run = RankSet::Run;

/// Least and greatest value over an interval; nothing if that isn't known.
struct Span {
  int64_t low = 0, high = 0;
};
using MaybeSpan = std::optional<Span>;

bool overflow(int64_t& to, Operation operation, int64_t a, int64_t b) {
  if (operation == Operation::add) return __builtin_add_overflow(a, b, &to);
  if (operation == Operation::subtract) return __builtin_sub_overflow(a, b, &to);
  return __builtin_mul_overflow(a, b, &to);
}

/// Of an operation that is monotonous in each operand.
MaybeSpan corners(Operation operation, const Span& a, const Span& b) {
  Span out{INT64_MAX, INT64_MIN};
  for (int64_t x : {a.low, a.high})
    for (int64_t y : {b.low, b.high}) {
      int64_t value = 0;
      if (overflow(value, operation, x, y)) return {};
      out = {std::min(out.low, value), std::max(out.high, value)};
    }
  return out;
}

Span truth(bool never, bool always) { return {always ? 1 : 0, never ? 0 : 1}; }
Span opposite(const Span& s) { return {1 - s.high, 1 - s.low}; }
bool may_be_zero(const Span& s) { return s.low <= 0 && s.high >= 0; }
bool is_zero(const Span& s) { return s.low == 0 && s.high == 0; }

MaybeSpan span_of(const RankExpression& e, const Span& ranks);

MaybeSpan span_of_selection(const RankExpression& e, const Span& ranks) {
  MaybeSpan condition = span_of(e.operand(0), ranks);
  if (condition && !may_be_zero(*condition)) return span_of(e.operand(1), ranks);
  if (condition && is_zero(*condition)) return span_of(e.operand(2), ranks);
  MaybeSpan b = span_of(e.operand(1), ranks), c = span_of(e.operand(2), ranks);
  if (!b || !c) return {};
  return Span{std::min(b->low, c->low), std::max(b->high, c->high)};
}

MaybeSpan span_of_both(const RankExpression& e, const Span& ranks) {
  MaybeSpan a = span_of(e.operand(0), ranks);
  if (a && is_zero(*a)) return Span{};
  MaybeSpan b = span_of(e.operand(1), ranks);
  if (b && is_zero(*b)) return Span{};
  return truth(false, a && b && !may_be_zero(*a) && !may_be_zero(*b));
}

MaybeSpan span_of(const RankExpression& e, const Span& ranks) {
  if (e.is_constant()) return Span{e.number(), e.number()};
  if (e.operation() == Operation::variable) return ranks;
  if (e.operation() == Operation::select) return span_of_selection(e, ranks);
  if (e.operation() == Operation::both) return span_of_both(e, ranks);
  MaybeSpan a = span_of(e.operand(0), ranks), b = e.operands() > 1 ? span_of(e.operand(1), ranks) : Span{};
  if (!a || !b) return {};
  switch (e.operation()) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
      return corners(e.operation(), *a, *b);
    case Operation::divide:
      return Span{a->low / e.number(), a->high / e.number()};
    case Operation::modulo:
      if (a->low < 0) return {};
      if (a->low / e.number() == a->high / e.number()) return Span{a->low % e.number(), a->high % e.number()};
      return Span{0, e.number() - 1};
    case Operation::minimum:
      return Span{std::min(a->low, b->low), std::min(a->high, b->high)};
    case Operation::less:
      return truth(a->low >= b->high, a->high < b->low);
    case Operation::at_least:
      return opposite(truth(a->low >= b->high, a->high < b->low));
    case Operation::equal:
      return truth(a->high < b->low || b->high < a->low,
                   a->low == a->high && b->low == b->high && a->low == b->low);
    default:
      return {};
  }
}

/// The number after which the law repeats itself: the rank stands in it only as a remainder. 0 if it doesn't.
uint64_t period_of(const RankExpression& e) {
  if (e.is_constant()) return 1;
  if (e.operation() == Operation::variable) return 0;
  bool remainder = e.operation() == Operation::modulo && e.operand(0).operation() == Operation::variable;
  if (remainder) return static_cast<uint64_t>(e.number());
  uint64_t period = 1;
  for (size_t i = 0; i < e.operands() && period != 0; ++i) {
    uint64_t one = period_of(e.operand(i));
    period = one == 0 || one > RankSet::most_listed ? 0 : std::lcm(period, one);
    if (period > RankSet::most_listed) period = 0;
  }
  return period;
}

/// `rank == rank/4*4` as `rank%4 == 0`, of which one period is enough; also where both of two laws must hold.
RankExpression with_remainders(const RankExpression& e) {
  if (e.operation() == Operation::both)
    return RankExpression::both(with_remainders(e.operand(0)), with_remainders(e.operand(1)));
  if (e.operation() != Operation::equal || e.operand(0) != RankExpression::rank()) return e;
  const RankExpression& product = e.operand(1);
  if (product.operation() != Operation::multiply) return e;
  for (size_t i = 0; i < 2; ++i) {
    const RankExpression &quotient = product.operand(i), &factor = product.operand(1 - i);
    if (quotient.operation() == Operation::divide && quotient.operand(0) == RankExpression::rank() &&
        factor.is_constant(quotient.number()))
      return RankExpression::equal(RankExpression::rank() % quotient.number(), RankExpression());
  }
  return e;
}

/// Looks at intervals, until it has looked at too many.
class Solver {
 public:
  explicit Solver(const RankExpression& law) : law_(law) {}

  /// False if it gave up.
  bool solve(uint64_t first, uint64_t end) {
    if (first >= end) return true;
    if (++looked_at_ > most) return false;
    MaybeSpan span = span_of(law_, {static_cast<int64_t>(first), static_cast<int64_t>(end) - 1});
    bool single = end - first == 1;
    if (span && is_zero(*span)) return true;
    if ((span && !may_be_zero(*span)) || (single && law_.at(static_cast<uint32_t>(first)) != 0))
      return add({static_cast<uint32_t>(first), static_cast<uint32_t>(end)});
    if (single) return true;
    uint64_t middle = first + (end - first) / 2;
    return solve(first, middle) && solve(middle, end);
  }
  std::vector<Run> take() { return std::move(runs_); }

 private:
  static constexpr uint64_t most = 50'000;

  bool add(Run run) {
    if (!runs_.empty() && runs_.back().end == run.first)
      runs_.back().end = run.end;
    else
      runs_.push_back(run);
    return true;
  }

  const RankExpression& law_;
  uint64_t looked_at_ = 0;
  std::vector<Run> runs_;
};

std::vector<Run> repeated(const std::vector<Run>& once, uint64_t period, uint64_t end) {
  std::vector<Run> out;
  for (uint64_t at = 0; at < end; at += period)
    for (const Run& run : once) {
      uint64_t first = at + run.first, last = std::min(at + run.end, end);
      if (first >= last) break;
      if (!out.empty() && out.back().end == first)
        out.back().end = static_cast<uint32_t>(last);
      else
        out.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    }
  return out;
}

RankSet one_by_one(const RankExpression& law, uint32_t nprocs) {
  std::vector<uint32_t> ranks(nprocs), in;
  std::iota(ranks.begin(), ranks.end(), 0u);
  std::vector<int64_t> holds(nprocs);
  law.evaluate(ranks, holds);
  for (uint32_t rank : ranks)
    if (holds[rank] != 0) in.push_back(rank);
  return RankSet::of(std::move(in));
}

}  // namespace

RankSet ranks_where(const RankExpression& as_given, uint32_t nprocs) {
  RankExpression law = with_remainders(as_given);
  uint64_t period = period_of(law);
  bool repeats = period != 0 && period < nprocs;
  Solver solver(law);
  if (!solver.solve(0, repeats ? period : nprocs)) return one_by_one(law, nprocs);
  std::vector<Run> runs = solver.take();
  return RankSet::of_runs(repeats ? repeated(runs, period, nprocs) : runs);
}

}  // namespace refrain::scale
