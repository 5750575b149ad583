// Rank expressions as text. Sums and products are flattened first: signs move out of constants and factors
// (`rank*(-512) + 1048064` prints as `1048064-rank*512`), and a division is printed first among the factors
// around it, where it needs no parentheses. Besides those that C's precedence asks for there are parentheses
// around sums and comparisons under ^, & and <<, without which compilers warn.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "trace/expression.hpp"
#include "trace/rank_expression.hpp"

namespace refrain::trace {
namespace {

/// How tightly an operator binds, loosest first.
enum Level {
  any,
  conditional,
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

struct Term {
  bool negative;
  RankExpression value;
};

bool is_negative_constant(const RankExpression& e) { return e.is_constant() && e.number() < 0; }

/// Cannot overflow for any constant but the smallest, which stays as it is.
bool can_negate(const RankExpression& e) {
  return is_negative_constant(e) && e.number() != std::numeric_limits<int64_t>::min();
}

void collect_factors(const RankExpression& e, bool& negative, std::vector<RankExpression>& factors) {
  if (e.operation() == Operation::multiply) {
    collect_factors(e.operand(0), negative, factors);
    collect_factors(e.operand(1), negative, factors);
  } else if (can_negate(e)) {
    negative = !negative;
    if (e.number() != -1) factors.push_back(RankExpression::constant(-e.number()));
  } else {
    factors.push_back(e);
  }
}

/// Takes the sign out of a constant or product.
Term signed_term(bool negative, const RankExpression& e) {
  if (e.operation() != Operation::multiply && !can_negate(e)) return {negative, e};
  std::vector<RankExpression> factors;
  collect_factors(e, negative, factors);
  RankExpression value = RankExpression::constant(1);
  for (const RankExpression& factor : factors) value = value * factor;
  return {negative, value};
}

void collect_terms(const RankExpression& e, bool negative, std::vector<Term>& terms) {
  if (e.operation() == Operation::add || e.operation() == Operation::subtract) {
    collect_terms(e.operand(0), negative, terms);
    collect_terms(e.operand(1), negative != (e.operation() == Operation::subtract), terms);
  } else {
    terms.push_back(signed_term(negative, e));
  }
}

Level level_of(const RankExpression& e) {
  switch (e.operation()) {
    case Operation::constant:
      return e.number() < 0 ? sum : unary;
    case Operation::add:
    case Operation::subtract:
      if (auto c = e.negated_comparison()) return level_of(*c);
      return sum;
    case Operation::multiply:
      return signed_term(false, e).negative ? sum : product;
    case Operation::divide:
    case Operation::modulo:
    case Operation::quotient:
    case Operation::remainder:
      return product;
    case Operation::exclusive_or:
      return exclusive;
    case Operation::bit_and:
      return conjunction;
    case Operation::power_of_two:
      return shift;
    case Operation::less:
    case Operation::at_least:
      return relation;
    case Operation::equal:
      return equality;
    case Operation::both:
      return logical;
    case Operation::select:
      return conditional;
    default:
      return unary;
  }
}

/// What a comparison is not.
std::string_view opposite(Operation comparison) {
  if (comparison == Operation::equal) return "!=";
  return comparison == Operation::less ? ">=" : "<";
}

class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(const ExpressionStyle& style) : style_(style) {}

  /// In parentheses unless `e` binds at least as tightly as `level`.
  void put(const RankExpression& e, Level level) {
    bool parentheses = level_of(e) < level;
    if (parentheses) text_ += '(';
    put_bare(e);
    if (parentheses) text_ += ')';
  }
  std::string take() { return std::move(text_); }

 private:
  void put_bare(const RankExpression& e) {
    switch (e.operation()) {
      case Operation::constant:
        return put_constant(e.number());
      case Operation::variable:
        return put_variable(static_cast<Variable>(e.number()));
      case Operation::add:
      case Operation::subtract:
        if (auto c = e.negated_comparison()) return put_comparison(*c, opposite(c->operation()));
        return put_sum(e);
      case Operation::multiply:
        return put_product(e);
      case Operation::divide:
      case Operation::modulo:
        put(e.operand(0), product);
        text_ += e.operation() == Operation::divide ? '/' : '%';
        return put_constant(e.number());
      case Operation::quotient:
      case Operation::remainder:
        put(e.operand(0), product);
        text_ += e.operation() == Operation::quotient ? '/' : '%';
        return put(e.operand(1), unary);
      case Operation::root:
        return put_call(e.number() == 2 ? "sqrt" : "cbrt", e);
      case Operation::logarithm:
        return put_call("log2", e);
      case Operation::grid:
        return put_grid(e);
      case Operation::divisor:
        return put_call("divisor", e);
      case Operation::minimum:
        return put_call("min", e);
      case Operation::exclusive_or:
        return put_bits(e, "^");
      case Operation::bit_and:
        return put_bits(e, "&");
      case Operation::power_of_two:
        text_ += "1L<<";
        return put(e.operand(0), product);
      case Operation::power:
        put_constant(e.number());
        text_ += "**";
        return put(e.operand(0), unary);
      case Operation::less:
        return put_comparison(e, "<");
      case Operation::at_least:
        return put_comparison(e, ">=");
      case Operation::equal:
        return put_comparison(e, "==");
      case Operation::both:
        put(e.operand(0), logical);
        put_operator("&&");
        return put(e.operand(1), logical);
      case Operation::select:
        return put_select(e);
      case Operation::linear:
        return put_of_table("bits", e);
      case Operation::prefix_sum:
        return put_of_table("sum", e);
      case Operation::table:
        put_table(e.table());
        text_ += '[';
        put(e.operand(0), any);
        text_ += ']';
        return;
    }
  }

  void put_variable(Variable which) {
    switch (which) {
      case Variable::rank:
        text_ += style_.rank;
        return;
      case Variable::nprocs:
        text_ += 'P';
        return;
      case Variable::index:
        text_ += style_.index;
        return;
    }
  }

  /// An extent: `dims(P,3)[0]`.
  void put_grid(const RankExpression& e) {
    text_ += "dims(";
    put(e.operand(0), any);
    put_comma();
    put_constant(e.number() / 4);
    text_ += ")[";
    put_constant(e.number() % 4);
    text_ += ']';
  }

  void put_operator(std::string_view sign) {
    if (style_.spaced) text_ += ' ';
    text_ += sign;
    if (style_.spaced) text_ += ' ';
  }

  void put_comma() { text_ += style_.spaced ? ", " : ","; }

  void put_constant(int64_t value) {
    text_ += value == std::numeric_limits<int64_t>::min() ? std::to_string(value + 1) + "-1"
                                                          : std::to_string(value);
  }

  void put_sum(const RankExpression& e) {
    std::vector<Term> terms;
    collect_terms(e, false, terms);
    // A sum starts with its first positive term, if it has one.
    for (size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].negative) continue;
      std::rotate(terms.begin(), terms.begin() + i, terms.begin() + i + 1);
      break;
    }
    for (size_t i = 0; i < terms.size(); ++i) {
      if (i > 0)
        put_operator(terms[i].negative ? "-" : "+");
      else if (terms[i].negative)
        text_ += '-';
      put(terms[i].value, product);
    }
  }

  void put_product(const RankExpression& e) {
    bool negative = false;
    std::vector<RankExpression> factors;
    collect_factors(e, negative, factors);
    if (negative) text_ += '-';
    for (size_t i = 0; i < factors.size(); ++i) {
      if (level_of(factors[i]) != product) continue;
      std::rotate(factors.begin(), factors.begin() + i, factors.begin() + i + 1);
      break;
    }
    for (size_t i = 0; i < factors.size(); ++i) {
      if (i > 0) text_ += '*';
      put(factors[i], i > 0 ? unary : product);
    }
  }

  void put_bits(const RankExpression& e, std::string_view sign) {
    for (size_t i = 0; i < 2; ++i) {
      if (i > 0) put_operator(sign);
      put(e.operand(i), e.operand(i).operation() == e.operation() ? any : product);
    }
  }

  void put_comparison(const RankExpression& e, std::string_view sign) {
    put(e.operand(0), sum);
    put_operator(sign);
    put(e.operand(1), sum);
  }

  void put_select(const RankExpression& e) {
    put(e.operand(0), logical);
    put_operator("?");
    put(e.operand(1), logical);
    put_operator(":");
    put(e.operand(2), conditional);
  }

  void put_call(std::string_view name, const RankExpression& e) {
    text_ += name;
    text_ += '(';
    for (size_t i = 0; i < e.operands(); ++i) {
      if (i > 0) put_comma();
      put(e.operand(i), any);
    }
    text_ += ')';
  }

  void put_of_table(std::string_view name, const RankExpression& e) {
    text_ += name;
    text_ += '(';
    put_table(e.table());
    put_comma();
    put(e.operand(0), any);
    text_ += ')';
  }

  void put_table(const Column& table) {
    if (table.size() > style_.longest_table) {
      text_ += "[… " + std::to_string(table.size()) + " values]";
      return;
    }
    Sink append = [this](std::string_view part) { text_ += part; };
    TextOut out(append);
    put_column(out, table);
    out.flush();
  }

  const ExpressionStyle& style_;
  std::string text_;
};

}  // namespace

std::string RankExpression::text(std::string_view rank_name) const {
  return text(ExpressionStyle{.rank = rank_name});
}

std::string RankExpression::text(const ExpressionStyle& style) const {
  ExpressionPrinter printer(style);
  printer.put(*this, any);
  return printer.take();
}

}  // namespace refrain::trace
