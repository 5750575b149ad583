#include "generate/c_expression.hpp"

#include <algorithm>
#include <optional>

#include "trace/power.hpp"

namespace refrain::generate {
namespace {

std::optional<Range> sum_range(const Range& a, const Range& b) {
  Range r;
  if (__builtin_add_overflow(a.low, b.low, &r.low) || __builtin_add_overflow(a.high, b.high, &r.high))
    return {};
  return r;
}

std::optional<Range> difference_range(const Range& a, const Range& b) {
  Range r;
  if (__builtin_sub_overflow(a.low, b.high, &r.low) || __builtin_sub_overflow(a.high, b.low, &r.high))
    return {};
  return r;
}

std::optional<Range> product_range(const Range& a, const Range& b) {
  int64_t corners[4];
  bool overflow = __builtin_mul_overflow(a.low, b.low, &corners[0]);
  overflow |= __builtin_mul_overflow(a.low, b.high, &corners[1]);
  overflow |= __builtin_mul_overflow(a.high, b.low, &corners[2]);
  overflow |= __builtin_mul_overflow(a.high, b.high, &corners[3]);
  if (overflow) return {};
  return Range{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

uint64_t bits_of(int64_t value) { return static_cast<uint64_t>(value); }

bool is_literal(const Expression& e) { return e.is_constant() && e.text == constant(e.range.low).text; }

/// `a` OP `b`; `b` does not begin with a minus sign.
Expression infix(const Expression& a, const std::string& sign, const Expression& b, Binding left,
                 Binding right, Binding result, Range range) {
  return {a.at_least(left) + sign + b.at_least(right), result, range};
}

Expression wrapping(const char* function, const Expression& a, const Expression& b) {
  return call(function, {a.text, b.text});
}

/// A term with its sign turned, if it begins with a minus.
std::optional<Expression> negated(const Expression& e) {
  if (e.text.front() != '-' || e.binding < Binding::sum || e.range.low == INT64_MIN) return {};
  if (e.binding == Binding::sum && e.text.find(' ') != std::string::npos) return {};
  Expression out = e;
  out.text.erase(0, 1);
  out.range = {-e.range.high, -e.range.low};
  if (out.binding == Binding::sum) out.binding = Binding::unary;
  return out;
}

/// The range of the sum is known to fit.
Expression plain_sum(const Expression& a, const Expression& b, const Range& range) {
  if (auto positive = negated(b))
    return infix(a, " - ", *positive, Binding::sum, Binding::product, Binding::sum, range);
  return infix(a, " + ", b, Binding::sum, b.text.front() == '-' ? Binding::unary : Binding::sum, Binding::sum,
               range);
}

Expression comparison(const Expression& a, const char* sign, const Expression& b, Binding binding) {
  Expression e = infix(a, sign, b, Binding::sum, Binding::sum, binding, {0, 1});
  e.narrow = true;
  return e;
}

/// The smallest 2^n - 1 that is at least `value`.
int64_t mask_above(int64_t value) {
  int64_t mask = 0;
  while (mask < value) mask = mask * 2 + 1;
  return mask;
}

}  // namespace

Range Range::united(const Range& other) const {
  return {std::min(low, other.low), std::max(high, other.high)};
}

std::string Expression::at_least(Binding level) const { return binding < level ? "(" + text + ")" : text; }

Expression Expression::widened() const {
  if (!narrow) return *this;
  return {"(long long)" + at_least(Binding::unary), Binding::unary, range, false};
}

Expression constant(int64_t value) {
  if (value == INT64_MIN) return {"INT64_MIN", Binding::unary, {value, value}};
  bool narrow = value >= INT32_MIN && value <= INT32_MAX;
  return {std::to_string(value), value < 0 ? Binding::sum : Binding::unary, {value, value}, narrow};
}

Expression variable(std::string name, Range range) { return {std::move(name), Binding::unary, range}; }

Expression call(const std::string& function, const std::vector<std::string>& arguments, Range range) {
  std::string text = function + "(";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return {text + ")", Binding::unary, range};
}

Expression add(const Expression& a, const Expression& b) {
  if (is_literal(a) && is_literal(b))
    return constant(static_cast<int64_t>(bits_of(a.range.low) + bits_of(b.range.low)));
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  if (is_literal(a)) return add(b, a);
  if (is_literal(b) && a.core) {
    int64_t tail = 0, together = 0;
    bool known = !__builtin_sub_overflow(a.range.low, a.core->range.low, &tail) &&
                 !__builtin_add_overflow(tail, b.range.low, &together);
    if (known) return add(*a.core, constant(together));
  }
  if (a.narrow && b.narrow) return add(a.widened(), b);
  auto range = sum_range(a.range, b.range);
  if (!range) return wrapping("wrap_add", a, b);
  if (is_literal(b)) {
    Expression sum = plain_sum(a, b, *range);
    sum.core = std::make_shared<const Expression>(a);
    return sum;
  }
  return plain_sum(a, b, *range);
}

Expression subtract(const Expression& a, const Expression& b) {
  if (is_literal(b) && b.range.low != INT64_MIN) return add(a, constant(-b.range.low));
  if (a.narrow && b.narrow) return subtract(a.widened(), b);
  auto range = difference_range(a.range, b.range);
  if (!range) return wrapping("wrap_sub", a, b);
  if (auto positive = negated(b))
    return infix(a, " + ", *positive, Binding::sum, Binding::product, Binding::sum, *range);
  return infix(a, " - ", b, Binding::sum, Binding::product, Binding::sum, *range);
}

Expression multiply(const Expression& a, const Expression& b) {
  if (is_literal(a) && is_literal(b))
    return constant(static_cast<int64_t>(bits_of(a.range.low) * bits_of(b.range.low)));
  if (a.is_constant(0) || b.is_constant(0)) return constant(0);
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (is_literal(b)) return multiply(b, a);  // numbers first: they may be negative
  if (a.narrow && b.narrow) return multiply(a, b.widened());
  auto range = product_range(a.range, b.range);
  if (!range) return wrapping("wrap_mul", a, b);
  if (is_literal(a) && a.range.low < 0)
    return {a.text + "*" + b.at_least(Binding::unary), Binding::product, *range};
  // A quotient must stand first, where it needs no parentheses.
  bool turn = b.binding == Binding::product && a.binding == Binding::unary;
  const Expression &first = turn ? b : a, &second = turn ? a : b;
  return infix(first, "*", second, Binding::product, Binding::unary, Binding::product, *range);
}

Expression power(const Expression& factor, int64_t base, const Expression& exponent) {
  auto at = [&](int64_t a, int64_t n) { return trace::power_product(a, base, n); };
  if (is_literal(factor) && is_literal(exponent))
    return constant(at(factor.range.low, exponent.range.low).value_or(0));
  auto low = at(factor.range.low, exponent.range.high), high = at(factor.range.high, exponent.range.high);
  bool held = exponent.range.low >= 0 && low && high;
  if (!held || base != 2 || factor.range.low < 0) {
    Range range;
    if (held) range = {std::min(*low, factor.range.low), std::max(*high, factor.range.high)};
    return call("power_product", {factor.text, std::to_string(base), exponent.text}, range);
  }
  Range range{*at(factor.range.low, exponent.range.low), *high};
  std::string left = is_literal(factor) ? factor.text + "LL" : factor.widened().at_least(Binding::product);
  return {left + " << " + exponent.at_least(Binding::product), Binding::shift, range};
}

Expression divide(const Expression& a, int64_t divisor) {
  if (divisor == 1) return a;
  if (is_literal(a)) return constant(a.range.low / divisor);
  Expression dividend =
      a.text.front() == '-' ? Expression{"(" + a.text + ")", Binding::unary, a.range, a.narrow} : a;
  return infix(dividend.widened(), "/", constant(divisor), Binding::product, Binding::unary, Binding::product,
               {a.range.low / divisor, a.range.high / divisor});
}

Expression modulo(const Expression& a, int64_t divisor) {
  if (is_literal(a)) return constant(a.range.low % divisor);
  if (a.range.within(0, divisor - 1)) return a;
  Expression dividend =
      a.text.front() == '-' ? Expression{"(" + a.text + ")", Binding::unary, a.range, a.narrow} : a;
  Range range{a.range.low < 0 ? 1 - divisor : 0, a.range.high > 0 ? divisor - 1 : 0};
  return infix(dividend.widened(), "%", constant(divisor), Binding::product, Binding::unary, Binding::product,
               range);
}

Expression divide(const Expression& a, const Expression& divisor) {
  if (is_literal(divisor) && divisor.range.low >= 1) return divide(a, divisor.range.low);
  if (divisor.range.low < 1 || a.range.low < 0) return call("quotient_of", {a.text, divisor.text});
  return infix(a.widened(), "/", divisor, Binding::product, Binding::unary, Binding::product,
               {0, a.range.high / divisor.range.low});
}

Expression modulo(const Expression& a, const Expression& divisor) {
  if (is_literal(divisor) && divisor.range.low >= 1) return modulo(a, divisor.range.low);
  if (divisor.range.low < 1 || a.range.low < 0) return call("remainder_of", {a.text, divisor.text});
  return infix(a.widened(), "%", divisor, Binding::product, Binding::unary, Binding::product,
               {0, std::min(a.range.high, divisor.range.high - 1)});
}

Expression minimum(const Expression& a, const Expression& b) {
  if (a.range.high <= b.range.low) return a;
  if (b.range.high <= a.range.low) return b;
  return call("smaller", {a.text, b.text},
              {std::min(a.range.low, b.range.low), std::min(a.range.high, b.range.high)});
}

Expression exclusive_or(const Expression& a, const Expression& b) {
  Range range;
  if (a.range.low >= 0 && b.range.low >= 0) range = {0, mask_above(std::max(a.range.high, b.range.high))};
  return infix(a.widened(), " ^ ", b, Binding::product, Binding::product, Binding::exclusive, range);
}

Expression bit_and(const Expression& a, const Expression& b) {
  Range range;
  if (a.range.low >= 0 && b.range.low >= 0) range = {0, std::min(a.range.high, b.range.high)};
  return infix(a.widened(), " & ", b, Binding::product, Binding::product, Binding::conjunction, range);
}

Expression less(const Expression& a, const Expression& b) {
  if (a.range.high < b.range.low) return constant(1);
  if (a.range.low >= b.range.high) return constant(0);
  return comparison(a, " < ", b, Binding::relation);
}

Expression at_least(const Expression& a, const Expression& b) {
  if (a.range.low >= b.range.high) return constant(1);
  if (a.range.high < b.range.low) return constant(0);
  return comparison(a, " >= ", b, Binding::relation);
}

Expression equal(const Expression& a, const Expression& b) {
  if (a.range.high < b.range.low || b.range.high < a.range.low) return constant(0);
  return comparison(a, " == ", b, Binding::equality);
}

Expression unequal(const Expression& a, const Expression& b) {
  if (a.range.high < b.range.low || b.range.high < a.range.low) return constant(1);
  return comparison(a, " != ", b, Binding::equality);
}

Expression both(const Expression& a, const Expression& b) {
  if (a.is_constant()) return a.range.low == 0 ? constant(0) : b;
  if (b.is_constant()) return b.range.low == 0 ? constant(0) : a;
  Expression e = infix(a, " && ", b, Binding::exclusive, Binding::exclusive, Binding::logical, {0, 1});
  if (a.binding == Binding::logical) e.text = a.text + " && " + b.at_least(Binding::exclusive);
  e.narrow = true;
  return e;
}

Expression either(const Expression& a, const Expression& b) {
  if (a.is_constant()) return a.range.low != 0 ? constant(1) : b;
  if (b.is_constant()) return b.range.low != 0 ? constant(1) : a;
  // Parentheses around && under ||, without which compilers warn.
  Expression e = infix(a, " || ", b, Binding::exclusive, Binding::exclusive, Binding::disjunction, {0, 1});
  if (a.binding == Binding::disjunction) e.text = a.text + " || " + b.at_least(Binding::exclusive);
  e.narrow = true;
  return e;
}

Expression select(const Expression& condition, const Expression& yes, const Expression& no) {
  if (condition.is_constant()) return condition.range.low != 0 ? yes : no;
  if (yes.text == no.text) return yes;
  return {condition.at_least(Binding::disjunction) + " ? " + yes.at_least(Binding::disjunction) + " : " +
              no.at_least(Binding::conditional),
          Binding::conditional, yes.range.united(no.range), yes.narrow && no.narrow};
}

}  // namespace refrain::generate
