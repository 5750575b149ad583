// See formula_totals.hpp. A call is made, by all ranks together, as often as there are ranks that make it
// times how often the loops around it turn; where one of these depends on the rank or on other loops, the
// total has no simple formula, and says `more`.
#include "scale/formula_totals.hpp"

#include <algorithm>
#include <optional>

namespace refrain::scale {

using namespace trace;

namespace {

using MaybeExpression = std::optional<RankExpression>;

bool in_p_alone(const RankExpression& e) {
  return !e.depends_on(Variable::rank) && !e.depends_on(Variable::index);
}

/// How many of P ranks a law holds for; nothing if there is no simple formula. Comparisons are right for as
/// many ranks as there are.
MaybeExpression number_of_ranks(const RankExpression& law) {
  const RankExpression p = RankExpression::nprocs(), one = RankExpression::constant(1);
  if (law.is_constant()) return law.is_constant(0) ? RankExpression() : p;
  if (law.operands() != 2 || !in_p_alone(law.operand(1))) return {};
  const RankExpression &a = law.operand(0), &b = law.operand(1);
  bool rank = a == RankExpression::rank();
  if (law.operation() == Operation::equal && rank && b.is_constant(0)) return one;
  if (law.operation() == Operation::less && rank) return RankExpression::minimum(p, b);
  if (law.operation() == Operation::at_least && rank) return p - RankExpression::minimum(p, b);
  bool multiples = law.operation() == Operation::equal && b.is_constant(0) &&
                   a.operation() == Operation::modulo && a.operand(0) == RankExpression::rank();
  if (multiples) return (p + RankExpression::constant(a.number() - 1)) / a.number();
  return {};
}

/// A value that is the same in all executions on all ranks.
MaybeExpression same_everywhere(const Value& v) {
  bool fixed = v.form == Form::affine && std::all_of(v.slopes.begin(), v.slopes.end(), [](const Number& s) {
                 return s.is_constant() && (s.constant() == 0 || s.constant() == Value::any_slope);
               });
  if (!fixed) return {};
  if (v.base.is_constant()) return RankExpression::constant(v.base.constant());
  if (!v.base.expression() || !in_p_alone(*v.base.expression())) return {};
  return *v.base.expression();
}

MaybeExpression product(const MaybeExpression& a, const MaybeExpression& b) {
  if (!a || !b) return {};
  RankExpression out = *a * *b;
  return out.within_bounds() ? MaybeExpression(out) : std::nullopt;
}

class Totaller {
 public:
  explicit Totaller(const Trace& trace) : trace_(trace) {}

  void stream(const Stream& s) {
    MaybeExpression ranks = RankExpression::nprocs();
    if (s.ranks.law()) ranks = number_of_ranks(*s.ranks.law());
    count_laws(s.ranks);
    list(s.nodes, {ranks, RankExpression::constant(1), !s.ranks.law()});
  }

  FormulaTotals take() {
    for (auto& [key, f] : functions_) totals_.functions.push_back(std::move(f));
    return std::move(totals_);
  }

 private:
  struct Around {
    MaybeExpression ranks, turns;
    bool everyone = true;  ///< no law was met yet
  };

  void list(const std::vector<Node>& nodes, const Around& around) {
    for (const Node& node : nodes) {
      Around own = around;
      if (const RankExpression* law = node.ranks.law()) {
        own.ranks = around.everyone ? number_of_ranks(*law) : std::nullopt;
        own.everyone = false;
      }
      count_laws(node.ranks);
      count_laws(node.count);
      for (const Value& v : node.parameters) count_laws(v);
      if (node.kind == NodeKind::event) event(node, product(own.ranks, own.turns));
      if (node.kind == NodeKind::loop) own.turns = product(own.turns, same_everywhere(node.count));
      if (node.kind == NodeKind::choice) own.turns.reset();
      list(node.body, own);
    }
  }

  void event(const Node& node, const MaybeExpression& calls) {
    const Signature& s = trace_.signatures[node.signature];
    FunctionFormulas& f = functions_[{s.layer, s.function}];
    f.layer = s.layer;
    f.function = s.function;
    add(f.calls, calls);
    if (!s.error.empty()) return;
    size_t at = 0;
    auto bytes = [&](const Operand& o) {
      Formula* to = o.role == Role::bytes_read      ? &f.bytes_read
                    : o.role == Role::bytes_written ? &f.bytes_written
                                                    : nullptr;
      bool by_law = o.kind == OperandKind::law_list;
      for (size_t i = 0; i < o.parameters(); ++i, ++at)
        if (to) add(*to, by_law ? std::nullopt : product(calls, same_everywhere(node.parameters[at])));
    };
    for (const Operand& o : s.operands) bytes(o);
    bytes(s.result);
  }

  static void add(Formula& to, const MaybeExpression& what) {
    if (what)
      to.add(*what);
    else
      to.add_unknown();
  }

  void count_laws(const RankSet& set) { totals_.laws += set.law() && !set.law()->is_constant(); }
  void count_laws(const Number& n) { totals_.laws += n.expression() != nullptr; }
  void count_laws(const Value& v) {
    count_laws(v.base);
    count_laws(v.step);
    for (const Number& n : v.slopes) count_laws(n);
    for (const Number& n : v.entries) count_laws(n);
    totals_.laws += v.law ? 2 : 0;
    for (const Alternative& a : v.alternatives) {
      count_laws(a.ranks);
      count_laws(a.value);
    }
  }

  const Trace& trace_;
  std::map<std::pair<std::string, std::string>, FunctionFormulas> functions_;
  FormulaTotals totals_;
};

}  // namespace

void Formula::add(const RankExpression& product) {
  if (product.is_constant(0)) return;
  if (product.is_constant()) {
    auto& term = terms_[""];
    term.first = RankExpression::constant(1);
    term.second = wrap_add(term.second, product.number());
    return;
  }
  bool scaled = product.operation() == Operation::multiply;
  for (size_t i = 0; scaled && i < 2; ++i)
    if (product.operand(i).is_constant()) {
      auto& term = terms_[product.operand(1 - i).text()];
      term.first = product.operand(1 - i);
      term.second = wrap_add(term.second, product.operand(i).number());
      return;
    }
  auto& term = terms_[product.text()];
  term.first = product;
  term.second = wrap_add(term.second, 1);
}

int64_t Formula::at(int64_t nprocs) const {
  int64_t sum = 0;
  for (const auto& [text, term] : terms_)
    sum = wrap_add(sum, wrap_mul(term.first.at(RankExpression::Point{.nprocs = nprocs}), term.second));
  return sum;
}

std::string Formula::text() const {
  std::string out;
  for (auto term = terms_.rbegin(); term != terms_.rend(); ++term) {
    const auto& [e, factor] = term->second;
    out += out.empty() ? "" : " + ";
    out += factor == 1 && !e.is_constant() ? e.text() : (RankExpression::constant(factor) * e).text();
  }
  if (more_) out += out.empty() ? "depends on the rank" : " + more";
  return out.empty() ? "0" : out;
}

FormulaTotals formula_totals(const Trace& trace) {
  Totaller totaller(trace);
  for (const Process& p : trace.processes)
    for (const Stream& s : p.streams)
      if (s.layer.empty()) totaller.stream(s);
  return totaller.take();
}

}  // namespace refrain::scale
