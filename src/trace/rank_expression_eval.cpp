// Evaluates rank expressions, at one rank or at many. Many are taken in blocks that stay in the first-level
// cache, one node at a time over the whole block, so that walking the tree costs nothing per rank; what
// doesn't depend on the rank is computed once per block.
#include <algorithm>
#include <array>
#include <bit>

#include "trace/factors.hpp"
#include "trace/power.hpp"
#include "trace/rank_expression_node.hpp"

namespace refrain::trace {
namespace {

constexpr size_t block_ranks = 256;

int64_t power_of_two_of(int64_t exponent) {
  return exponent >= 0 && exponent < 64 ? static_cast<int64_t>(uint64_t{1} << exponent) : 0;
}

int64_t linear_of(const ColumnIndex& images, int64_t bits) {
  uint64_t sum = 0;
  for (uint64_t left = static_cast<uint64_t>(bits); left != 0; left &= left - 1)
    sum ^= static_cast<uint64_t>(images.at(static_cast<uint64_t>(std::countr_zero(left))));
  return static_cast<int64_t>(sum);
}

int64_t logarithm_of(int64_t a) {
  return a < 1 ? 0 : static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(a))) - 1;
}

/// Division of any two integers: by zero gives 0, and what overflows wraps.
int64_t quotient_of(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? wrap_sub(0, a) : a / b;
}
int64_t remainder_of(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

/// Calls `apply` with the function of the operation (of a, b, c), so that callers can loop over it.
template <class Node, class Apply>
auto with_function(const Node& node, Apply apply) {
  using V = int64_t;
  const ColumnIndex* table = node.table.get();
  V number = node.number;
  switch (node.operation) {
    case Operation::constant:
    case Operation::variable:
      break;
    case Operation::add:
      return apply([](V a, V b, V) { return wrap_add(a, b); });
    case Operation::subtract:
      return apply([](V a, V b, V) { return wrap_sub(a, b); });
    case Operation::multiply:
      return apply([](V a, V b, V) { return wrap_mul(a, b); });
    case Operation::divide:
      return apply([number](V a, V, V) { return a / number; });
    case Operation::modulo:
      return apply([number](V a, V, V) { return a % number; });
    case Operation::minimum:
      return apply([](V a, V b, V) { return std::min(a, b); });
    case Operation::exclusive_or:
      return apply([](V a, V b, V) { return a ^ b; });
    case Operation::bit_and:
      return apply([](V a, V b, V) { return a & b; });
    case Operation::power_of_two:
      return apply([](V a, V, V) { return power_of_two_of(a); });
    case Operation::less:
      return apply([](V a, V b, V) { return V{a < b}; });
    case Operation::at_least:
      return apply([](V a, V b, V) { return V{a >= b}; });
    case Operation::equal:
      return apply([](V a, V b, V) { return V{a == b}; });
    case Operation::both:
      return apply([](V a, V b, V) { return V{a != 0 && b != 0}; });
    case Operation::select:
      return apply([](V a, V b, V c) { return a != 0 ? b : c; });
    case Operation::linear:
      return apply([table](V a, V, V) { return linear_of(*table, a); });
    case Operation::table:
      return apply([table](V a, V, V) { return table->at(static_cast<uint64_t>(a)); });
    case Operation::prefix_sum:
      return apply([table](V a, V, V) { return a < 0 ? 0 : table->sum_of_first(static_cast<uint64_t>(a)); });
    case Operation::quotient:
      return apply([](V a, V b, V) { return quotient_of(a, b); });
    case Operation::remainder:
      return apply([](V a, V b, V) { return remainder_of(a, b); });
    case Operation::root:
      return apply([number](V a, V, V) { return root_of(a, number); });
    case Operation::logarithm:
      return apply([](V a, V, V) { return logarithm_of(a); });
    case Operation::grid:
      return apply([number](V a, V, V) { return grid_extent(a, number / 4, number % 4); });
    case Operation::power:
      return apply([number](V a, V, V) { return power_product(1, number, a).value_or(0); });
    case Operation::divisor:
      return apply([](V a, V b, V) { return largest_divisor(a, b); });
  }
  return apply([number](V, V, V) { return number; });
}

}  // namespace

int64_t RankExpression::at(const Point& point) const {
  if (!node_) return 0;
  if (node_->operation == Operation::variable) switch (static_cast<Variable>(node_->number)) {
      case Variable::rank:
        return point.rank;
      case Variable::nprocs:
        return point.nprocs;
      case Variable::index:
        return point.index;
    }
  std::array<int64_t, 3> x{};
  for (size_t i = 0, n = operands_of(node_->operation); i < n; ++i) x[i] = node_->operands[i].at(point);
  return with_function(*node_, [&](auto function) { return function(x[0], x[1], x[2]); });
}

void RankExpression::evaluate(std::span<const uint32_t> ranks, std::span<int64_t> out, int64_t nprocs) const {
  for (size_t done = 0; done < ranks.size(); done += block_ranks) {
    size_t n = std::min(block_ranks, ranks.size() - done);
    if (evaluate_block(ranks.subspan(done, n), nprocs, &out[done])) std::fill_n(&out[done], n, out[done]);
  }
}

bool RankExpression::evaluate_block(std::span<const uint32_t> ranks, int64_t nprocs, int64_t* out) const {
  if (!node_ || node_->operation == Operation::constant) {
    out[0] = node_ ? node_->number : 0;
    return true;
  }
  if (node_->operation == Operation::variable) {
    bool of_rank = node_->number == static_cast<int64_t>(Variable::rank);
    if (of_rank)
      std::copy(ranks.begin(), ranks.end(), out);
    else
      out[0] = node_->number == static_cast<int64_t>(Variable::nprocs) ? nprocs : 0;
    return !of_rank;
  }
  size_t count = operands_of(node_->operation);
  std::array<int64_t, block_ranks> b, c;
  b[0] = c[0] = 0;
  std::array<int64_t*, 3> x{out, b.data(), c.data()};
  std::array<bool, 3> same{true, true, true};
  for (size_t i = 0; i < count; ++i) same[i] = node_->operands[i].evaluate_block(ranks, nprocs, x[i]);
  size_t n = same[0] && same[1] && same[2] ? 1 : ranks.size();
  for (size_t i = 0; i < 3; ++i)
    if (same[i] && n > 1) std::fill_n(x[i] + 1, n - 1, x[i][0]);
  with_function(*node_, [&](auto function) {
    for (size_t k = 0; k < n; ++k) out[k] = function(out[k], b[k], c[k]);
    return int64_t{0};
  });
  return n == 1;
}

}  // namespace refrain::trace
