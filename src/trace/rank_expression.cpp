// Builds rank expressions; see rank_expression.hpp. Every node is valid by construction: divisors are
// positive constants, an operation without a sensible result (an element outside its table, a shift by 64)
// has one by definition, so evaluating can't go wrong later.
#include "trace/rank_expression.hpp"

#include <algorithm>
#include <utility>

#include "trace/rank_expression_node.hpp"

namespace refrain::trace {

size_t operands_of(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::variable:
      return 0;
    case Operation::divide:
    case Operation::modulo:
    case Operation::power_of_two:
    case Operation::power:
    case Operation::root:
    case Operation::logarithm:
    case Operation::grid:
    case Operation::linear:
    case Operation::table:
    case Operation::prefix_sum:
      return 1;
    case Operation::select:
      return 3;
    default:
      return 2;
  }
}

bool has_table(Operation operation) {
  return operation == Operation::linear || operation == Operation::table ||
         operation == Operation::prefix_sum;
}

RankExpression RankExpression::make(Operation operation, int64_t number,
                                    std::span<const RankExpression> operands) {
  auto node = std::make_shared<Node>();
  node->operation = operation;
  node->number = number;
  std::copy(operands.begin(), operands.end(), node->operands.begin());
  return RankExpression(std::move(node));
}

RankExpression RankExpression::make(Operation operation, const RankExpression& a, const RankExpression& b) {
  return make(operation, 0, std::array{a, b});
}

RankExpression RankExpression::make(Operation operation, Column table, const RankExpression& a) {
  auto node = std::make_shared<Node>();
  node->operation = operation;
  node->operands[0] = a;
  node->table = std::make_unique<const ColumnIndex>(std::move(table));
  return RankExpression(std::move(node));
}

RankExpression RankExpression::with(std::span<const RankExpression> operands, Column table) const {
  if (has_table(operation())) return make(operation(), std::move(table), operands[0]);
  return make(operation(), number(), operands);
}

RankExpression RankExpression::constant(int64_t value) {
  if (value == 0) return {};
  return make(Operation::constant, value, {});
}

RankExpression RankExpression::variable(Variable which) {
  return make(Operation::variable, static_cast<int64_t>(which), {});
}

Operation RankExpression::operation() const { return node_ ? node_->operation : Operation::constant; }
int64_t RankExpression::number() const { return node_ ? node_->number : 0; }
size_t RankExpression::operands() const { return operands_of(operation()); }
const RankExpression& RankExpression::operand(size_t i) const { return node_->operands[i]; }
const Column& RankExpression::table() const { return node_->table->column(); }

bool RankExpression::operator==(const RankExpression& other) const {
  if (node_ == other.node_) return true;
  if (operation() != other.operation() || number() != other.number()) return false;
  for (size_t i = 0; i < operands(); ++i)
    if (!(operand(i) == other.operand(i))) return false;
  return !has_table(operation()) || table().same_values(other.table());
}

namespace {

/// Whether `e` has at most `depth` levels and `nodes` nodes, which are counted down.
bool takes_at_most(const RankExpression& e, size_t depth, size_t& nodes) {
  if (depth == 0 || nodes == 0) return false;
  --nodes;
  for (size_t i = 0; i < e.operands(); ++i)
    if (!takes_at_most(e.operand(i), depth - 1, nodes)) return false;
  return true;
}

}  // namespace

bool RankExpression::within_bounds() const {
  size_t nodes = max_nodes;
  return takes_at_most(*this, max_depth, nodes);
}

RankExpression operator+(const RankExpression& a, const RankExpression& b) {
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  if (a.is_constant() && b.is_constant()) return RankExpression::constant(wrap_add(a.number(), b.number()));
  if (a.is_constant()) return b + a;
  // Constants come last and only once: (x + 1) + y is (x + y) + 1.
  if (a.operation() == Operation::add && a.operand(1).is_constant())
    return b.is_constant() ? a.operand(0) + (a.operand(1) + b) : (a.operand(0) + b) + a.operand(1);
  if (b.operation() == Operation::add && b.operand(1).is_constant()) return (a + b.operand(0)) + b.operand(1);
  return RankExpression::make(Operation::add, a, b);
}

RankExpression operator-(const RankExpression& a, const RankExpression& b) {
  if (b.is_constant()) return a + RankExpression::constant(wrap_sub(0, b.number()));
  if (a == b) return {};
  bool twice = a.is_constant() && b.operation() == Operation::subtract && b.operand(0).is_constant();
  if (twice) return b.operand(1) + (a - b.operand(0));  // 1 - (1 - x) is x
  return RankExpression::make(Operation::subtract, a, b);
}

RankExpression operator*(const RankExpression& a, const RankExpression& b) {
  if (a.is_constant(0) || b.is_constant(0)) return {};
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (a.is_constant() && b.is_constant()) return RankExpression::constant(wrap_mul(a.number(), b.number()));
  if (a.is_constant()) return b * a;
  if (b.is_constant() && a.operation() == Operation::multiply && a.operand(1).is_constant())
    return a.operand(0) * (a.operand(1) * b);
  return RankExpression::make(Operation::multiply, a, b);
}

RankExpression operator/(const RankExpression& a, int64_t divisor) {
  if (divisor <= 1) return a;
  if (a.is_constant()) return RankExpression::constant(a.number() / divisor);
  if (a.operation() == Operation::divide && a.number() <= INT64_MAX / divisor)
    return a.operand(0) / (a.number() * divisor);
  return RankExpression::make(Operation::divide, divisor, std::span(&a, 1));
}

RankExpression operator%(const RankExpression& a, int64_t divisor) {
  if (divisor <= 1) return {};
  if (a.is_constant()) return RankExpression::constant(a.number() % divisor);
  if (a.operation() == Operation::modulo && a.number() % divisor == 0) return a.operand(0) % divisor;
  return RankExpression::make(Operation::modulo, divisor, std::span(&a, 1));
}

RankExpression operator^(const RankExpression& a, const RankExpression& b) {
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  return RankExpression::make(Operation::exclusive_or, a, b);
}

RankExpression operator&(const RankExpression& a, const RankExpression& b) {
  return RankExpression::make(Operation::bit_and, a, b);
}

RankExpression RankExpression::minimum(const RankExpression& a, const RankExpression& b) {
  return make(Operation::minimum, a, b);
}

RankExpression RankExpression::power_of_two(const RankExpression& a) {
  return make(Operation::power_of_two, 0, std::span(&a, 1));
}

RankExpression RankExpression::power(int64_t base, const RankExpression& a) {
  return base == 2 ? power_of_two(a) : make_folded(Operation::power, base, std::span(&a, 1));
}

RankExpression RankExpression::less(const RankExpression& a, const RankExpression& b) {
  return make(Operation::less, a, b);
}

RankExpression RankExpression::at_least(const RankExpression& a, const RankExpression& b) {
  return make(Operation::at_least, a, b);
}

RankExpression RankExpression::equal(const RankExpression& a, const RankExpression& b) {
  return make(Operation::equal, a, b);
}

RankExpression RankExpression::both(const RankExpression& a, const RankExpression& b) {
  return make(Operation::both, a, b);
}

RankExpression RankExpression::select(const RankExpression& condition, const RankExpression& yes,
                                      const RankExpression& no) {
  return make(Operation::select, 0, std::array{condition, yes, no});
}

RankExpression RankExpression::make_folded(Operation operation, int64_t number,
                                           std::span<const RankExpression> operands) {
  RankExpression e = make(operation, number, operands);
  for (const RankExpression& a : operands)
    if (!a.is_constant()) return e;
  return constant(e.at(0));
}

RankExpression RankExpression::quotient(const RankExpression& a, const RankExpression& b) {
  if (b.is_constant() && b.number() >= 1) return a / b.number();
  return make_folded(Operation::quotient, 0, std::array{a, b});
}

RankExpression RankExpression::remainder(const RankExpression& a, const RankExpression& b) {
  if (b.is_constant() && b.number() >= 1) return a % b.number();
  return make_folded(Operation::remainder, 0, std::array{a, b});
}

RankExpression RankExpression::root(const RankExpression& a, int64_t degree) {
  return make_folded(Operation::root, degree, std::span(&a, 1));
}

RankExpression RankExpression::logarithm(const RankExpression& a) {
  return make_folded(Operation::logarithm, 0, std::span(&a, 1));
}

RankExpression RankExpression::grid(const RankExpression& a, int64_t dimensions, int64_t i) {
  return make_folded(Operation::grid, grid_number(dimensions, i), std::span(&a, 1));
}

RankExpression RankExpression::divisor(const RankExpression& a, const RankExpression& most) {
  return make_folded(Operation::divisor, 0, std::array{a, most});
}

std::optional<RankExpression> RankExpression::negated_comparison() const {
  const RankExpression* c = nullptr;
  if (operation() == Operation::subtract && operand(0).is_constant(1)) c = &operand(1);
  if (operation() == Operation::add && operand(1).is_constant(1) &&
      operand(0).operation() == Operation::multiply && operand(0).operand(1).is_constant(-1))
    c = &operand(0).operand(0);
  if (c == nullptr) return std::nullopt;
  Operation kind = c->operation();
  bool comparison = kind == Operation::less || kind == Operation::at_least || kind == Operation::equal;
  return comparison ? std::optional(*c) : std::nullopt;
}

bool RankExpression::depends_on(Variable which) const {
  if (operation() == Operation::variable) return number() == static_cast<int64_t>(which);
  for (size_t i = 0; i < operands(); ++i)
    if (operand(i).depends_on(which)) return true;
  return false;
}

RankExpression RankExpression::linear(Column images, const RankExpression& a) {
  return make(Operation::linear, std::move(images), a);
}

RankExpression RankExpression::lookup(Column table, const RankExpression& index) {
  return make(Operation::table, std::move(table), index);
}

RankExpression RankExpression::prefix_sum(Column table, const RankExpression& index) {
  return make(Operation::prefix_sum, std::move(table), index);
}

}  // namespace refrain::trace
