#include "generate/rank_text.hpp"

#include <algorithm>

#include "generate/refusal.hpp"

namespace refrain::generate {
namespace {

using trace::Operation;
using trace::RankExpression;
using trace::RankSet;

constexpr size_t most_blocks = 6;  ///< of a condition; larger sets become tables
constexpr const char* by_rank =
    "one value per rank; no line, block distribution, digits, shift, bits or period fits";

/// The number as 0 or 1.
Expression truth(const Expression& e) {
  if (e.range.within(0, 1)) return e;
  return {e.at_least(Binding::sum) + " != 0", Binding::equality, {0, 1}, true};
}

}  // namespace

RankText::RankText(uint32_t ranks, Tables& tables)
    : ranks_(ranks),
      tables_(tables),
      rank_(ranks == 1 ? constant(0)
                       : variable("rank", {0, ranks == 0 ? INT32_MAX - 1 : int64_t{ranks} - 1})) {}

Expression RankText::variable_of(trace::Variable which) const {
  if (which == trace::Variable::nprocs) return variable("nprocs", {1, INT32_MAX});
  return which == trace::Variable::index ? index_ : rank_;
}

Expression RankText::element(const trace::ListLaw& law, const Expression& index) {
  index_ = index;
  Expression element = expression(law.element);
  index_ = constant(0);
  return element;
}

/// Operations that only traces for any number of ranks have.
Expression RankText::of_number_of_ranks(const RankExpression& e) {
  Expression a = expression(e.operand(0));
  switch (e.operation()) {
    case Operation::quotient:
      return divide(a, expression(e.operand(1)));
    case Operation::remainder:
      return modulo(a, expression(e.operand(1)));
    case Operation::root:
      return call("root_of", {a.text, std::to_string(e.number())}, {0, 3037000499});
    case Operation::logarithm:
      return call("logarithm_of", {a.text}, {0, 62});
    case Operation::grid:
      return call("extent_of", {a.text, std::to_string(e.number() / 4), std::to_string(e.number() % 4)},
                  {1, INT32_MAX});
    case Operation::divisor:
      return call("largest_divisor", {a.text, expression(e.operand(1)).text}, {0, INT32_MAX});
    default:
      throw Refusal{"an unknown operation in an expression"};
  }
}

Expression RankText::table_of(const RankExpression& e) {
  Expression a = expression(e.operand(0));
  if (e.operation() == Operation::table) return tables_.at(e.table(), a, by_rank);
  std::string table = tables_.array(e.table(), {});
  const char* function = e.operation() == Operation::linear ? "bits_of" : "sum_of";
  return call(function, {table, std::to_string(e.table().size()), a.text});
}

/// Where a comparison does not hold.
Expression RankText::opposite(const RankExpression& comparison) {
  Expression a = expression(comparison.operand(0)), b = expression(comparison.operand(1));
  if (comparison.operation() == Operation::less) return at_least(a, b);
  return comparison.operation() == Operation::at_least ? less(a, b) : unequal(a, b);
}

Expression RankText::expression(const RankExpression& e) {
  auto operand = [&](size_t i) { return expression(e.operand(i)); };
  switch (e.operation()) {
    case Operation::constant:
      return constant(e.number());
    case Operation::variable:
      return variable_of(static_cast<trace::Variable>(e.number()));
    case Operation::add:
    case Operation::subtract:
      if (auto c = e.negated_comparison()) return opposite(*c);
      return e.operation() == Operation::add ? add(operand(0), operand(1)) : subtract(operand(0), operand(1));
    case Operation::multiply:
      return multiply(operand(0), operand(1));
    case Operation::divide:
      return divide(operand(0), e.number());
    case Operation::modulo:
      return modulo(operand(0), e.number());
    case Operation::minimum:
      return minimum(operand(0), operand(1));
    case Operation::exclusive_or:
      return exclusive_or(operand(0), operand(1));
    case Operation::bit_and:
      return bit_and(operand(0), operand(1));
    case Operation::power_of_two:
      return operand(0).range.within(0, 62) ? power(constant(1), 2, operand(0))
                                            : call("power_of_two", {operand(0).text});
    case Operation::power:
      return power(constant(1), e.number(), operand(0));
    case Operation::less:
      return less(operand(0), operand(1));
    case Operation::at_least:
      return at_least(operand(0), operand(1));
    case Operation::equal:
      return equal(operand(0), operand(1));
    case Operation::both:
      return both(truth(operand(0)), truth(operand(1)));
    case Operation::select:
      return select(operand(0), operand(1), operand(2));
    case Operation::linear:
    case Operation::table:
    case Operation::prefix_sum:
      return table_of(e);
    case Operation::quotient:
    case Operation::remainder:
    case Operation::root:
    case Operation::logarithm:
    case Operation::grid:
    case Operation::divisor:
      return of_number_of_ranks(e);
  }
  throw Refusal{"an unknown operation in an expression"};
}

Expression RankText::number(const trace::Number& number, const RankSet& ranks) {
  if (number.is_constant()) return constant(number.constant());
  if (number.expression() != nullptr) return expression(*number.expression());
  return tables_.at(*number.table(), place(ranks), by_rank);
}

Expression RankText::place(const RankSet& set) {
  if (set.blocks().size() == 1 && set.blocks()[0].levels.size() <= 1) {
    const auto& block = set.blocks()[0];
    if (block.levels.empty()) return constant(0);
    Expression place = divide(subtract(rank_, constant(static_cast<int64_t>(block.first))),
                              static_cast<int64_t>(block.levels[0].stride));
    place.range = {0, static_cast<int64_t>(block.levels[0].count) - 1};
    return place;
  }
  if (set.size() > RankSet::most_listed) throw Refusal{"a table over too many ranks"};
  std::vector<int64_t> ranks;
  for (uint32_t rank : set.expand()) ranks.push_back(rank);
  std::string table = tables_.runs(trace::Column::of(ranks), "ranks");
  return call("place_of", {table, rank_.text}, {0, static_cast<int64_t>(ranks.size()) - 1});
}

/// first + k1·stride1 + k2·stride2 …: the outermost digit is bounded by its count, as are those within.
Expression RankText::in_block(const RankSet::Block& block) {
  auto number = [](uint64_t n) { return constant(static_cast<int64_t>(n)); };
  if (block.levels.empty()) return equal(rank_, number(block.first));
  uint64_t last = block.first;
  for (const auto& level : block.levels) last += (level.count - 1) * level.stride;
  uint64_t outer = block.levels[0].stride, inner = last - block.first - (block.levels[0].count - 1) * outer;
  // Where the block's pattern goes on to both ends, what is beyond them needs no condition.
  Expression within = both(at_least(rank_, number(block.first)), less(rank_, number(last + 1)));
  if (outer == 1) return within;
  bool from_start = block.first < outer && block.first + inner < outer;
  bool to_end = last - inner + outer >= ranks_;
  Expression x = from_start ? rank_ : subtract(rank_, number(block.first));
  uint64_t shift = from_start ? block.first : 0;
  Expression digits = constant(1);
  for (size_t d = 0; d < block.levels.size(); ++d) {
    uint64_t stride = block.levels[d].stride;
    uint64_t rest = d + 1 < block.levels.size() ? block.levels[d + 1].count * block.levels[d + 1].stride : 0;
    x = modulo(x, static_cast<int64_t>(stride));
    if (stride == 1) break;
    Expression here =
        rest == 0 ? equal(x, number(shift)) : both(at_least(x, number(shift)), less(x, number(shift + rest)));
    digits = both(digits, here);
    if (shift > 0) x = subtract(x, number(shift));
    shift = 0;
  }
  if (from_start && to_end) return digits;
  if (from_start) return both(less(rank_, number(last + 1)), digits);
  return both(within, digits);
}

Expression RankText::condition(const RankSet& set, const RankSet& around) {
  if (set.law() != nullptr) return truth(expression(*set.law()));
  if (set.empty() || set == around || set.size() >= (around.empty() ? ranks_ : around.size()))
    return constant(1);
  if (set.blocks().size() > most_blocks) {
    if (set.size() > RankSet::most_listed) throw Refusal{"a set of too many ranks"};
    std::vector<int64_t> ranks;
    for (uint32_t rank : set.expand()) ranks.push_back(rank);
    std::string table = tables_.runs(trace::Column::of(ranks), "ranks");
    return {"is_in(" + table + ", " + rank_.text + ")", Binding::unary, {0, 1}, true};
  }
  Expression any = constant(0);
  for (const auto& block : set.blocks()) any = either(any, in_block(block));
  return any;
}

}  // namespace refrain::generate
