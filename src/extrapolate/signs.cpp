// See signs.hpp.
#include "extrapolate/signs.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Operation;

bool has_positive_operand(const RankExpression& e) {
  for (size_t i = 0; i < e.operands(); ++i)
    if (is_at_least(e.operand(i), 1)) return true;
  return false;
}

/// Operand `from` and those behind it.
bool are_at_least(const RankExpression& e, int64_t least, size_t from = 0) {
  for (size_t i = from; i < e.operands(); ++i)
    if (!is_at_least(e.operand(i), least)) return false;
  return true;
}

}  // namespace

bool is_at_least(const RankExpression& e, int64_t least) {
  switch (e.operation()) {
    case Operation::constant:
      return e.number() >= least;
    case Operation::variable:
      return least == 0 || e == RankExpression::nprocs();
    case Operation::add:
      return are_at_least(e, 0) && (least == 0 || has_positive_operand(e));
    case Operation::multiply:
    case Operation::minimum:
      return are_at_least(e, least);
    case Operation::select:
      return are_at_least(e, least, 1);
    case Operation::grid:
    case Operation::root:
      return is_at_least(e.operand(0), least);
    case Operation::divide:
    case Operation::modulo:
    case Operation::quotient:
    case Operation::remainder:
      return least == 0 && are_at_least(e, 0);
    case Operation::less:
    case Operation::at_least:
    case Operation::equal:
    case Operation::both:
    case Operation::logarithm:
    case Operation::divisor:
    case Operation::power:
      return least == 0;
    default:
      return false;
  }
}

}  // namespace refrain::extrapolate
