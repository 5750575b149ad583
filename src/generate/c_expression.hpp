// C expressions under construction. Numbers of a trace wrap at 64 bits, those of C must not overflow: every
// expression knows the range of its values, and where a sum or product could leave 64 bits it is printed as a
// call of a function that wraps. Elsewhere it is printed as a person would write it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace refrain::generate {

/// The range of values of an expression.
struct Range {
  int64_t low = INT64_MIN;
  int64_t high = INT64_MAX;

  bool within(int64_t least, int64_t most) const { return low >= least && high <= most; }
  Range united(const Range& other) const;
  bool operator==(const Range&) const = default;
};

/// How tightly the outermost operator binds, loosest first.
enum class Binding : uint8_t {
  any,
  conditional,
  disjunction,
  logical,
  exclusive,
  conjunction,
  equality,
  relation,
  shift,
  sum,
  product,
  unary
};

/// A C expression of type `long long`; if `narrow`, of type int.
struct Expression {
  std::string text{};
  Binding binding = Binding::unary;
  Range range{};
  bool narrow = false;
  std::shared_ptr<const Expression>
      core{};  ///< of a sum that ends with a number: the sum without that number

  bool is_constant() const { return range.low == range.high; }
  bool is_constant(int64_t value) const { return is_constant() && range.low == value; }
  /// The text, in parentheses if it binds less tightly than asked for.
  std::string at_least(Binding level) const;
  /// The text as an operand of type `long long`.
  Expression widened() const;
};

Expression constant(int64_t value);
Expression variable(std::string name, Range range = {});
/// A call of a function of the kernel's runtime that returns a long long.
Expression call(const std::string& function, const std::vector<std::string>& arguments, Range range = {});

Expression add(const Expression& a, const Expression& b);
Expression subtract(const Expression& a, const Expression& b);
Expression multiply(const Expression& a, const Expression& b);
/// factor · base^exponent for bases of at least 2; 0 if it doesn't fit into 64 bits.
Expression power(const Expression& factor, int64_t base, const Expression& exponent);
/// The divisor is at least 1.
Expression divide(const Expression& a, int64_t divisor);
Expression modulo(const Expression& a, int64_t divisor);
/// Division by an expression. Uses the operator of C if the divisor is known to be positive; otherwise the
/// result is 0 for a divisor of 0.
Expression divide(const Expression& a, const Expression& divisor);
Expression modulo(const Expression& a, const Expression& divisor);
Expression minimum(const Expression& a, const Expression& b);
Expression exclusive_or(const Expression& a, const Expression& b);
Expression bit_and(const Expression& a, const Expression& b);
Expression less(const Expression& a, const Expression& b);
Expression at_least(const Expression& a, const Expression& b);
Expression equal(const Expression& a, const Expression& b);
Expression unequal(const Expression& a, const Expression& b);
Expression both(const Expression& a, const Expression& b);
Expression either(const Expression& a, const Expression& b);
Expression select(const Expression& condition, const Expression& yes, const Expression& no);

}  // namespace refrain::generate
