// Looks for operations in all that a file holds expressions in; see powers_in.hpp.
#include "trace/powers_in.hpp"

#include <algorithm>

namespace refrain::trace {
namespace {

/// Looks for one operation.
struct Finder {
  Operation operation;

  bool in(const RankExpression& e) const {
    if (e.operation() == operation) return true;
    for (size_t i = 0; i < e.operands(); ++i)
      if (in(e.operand(i))) return true;
    return false;
  }
  bool in(const RankSet& set) const { return set.law() && in(*set.law()); }
  bool in(const Number& n) const { return n.expression() && in(*n.expression()); }
  bool in(const Alternative& a) const { return in(a.ranks) || in(a.value); }
  bool in(const Value& v) const {
    if (v.form == Form::power && operation == Operation::power) return true;
    if (v.law && (in(v.law->element) || in(v.law->length))) return true;
    return in(v.base) || in(v.step) || in(v.slopes) || in(v.entries) || in(v.alternatives);
  }
  bool in(const Node& n) const { return in(n.ranks) || in(n.count) || in(n.parameters) || in(n.body); }
  bool in(const Stream& s) const { return in(s.ranks) || in(s.prefix) || in(s.nodes); }
  bool in(const Process& p) const { return in(p.ranks) || in(p.ended_early) || in(p.streams); }
  bool in(const Doubt& d) const { return in(d.chosen) || in(d.other) || in(d.ranks); }
  bool in(const Trace& t) const { return in(t.processes) || in(t.doubts); }

  template <class T>
  bool in(const std::vector<T>& list) const {
    return std::any_of(list.begin(), list.end(), [&](const T& x) { return in(x); });
  }
};

}  // namespace

bool has_powers(const Trace& trace) { return Finder{Operation::power}.in(trace); }

bool has_logarithms(const Trace& trace) { return Finder{Operation::logarithm}.in(trace); }

}  // namespace refrain::trace
