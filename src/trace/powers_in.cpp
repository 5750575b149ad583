// Looks for powers in all that a file holds expressions in; see powers_in.hpp.
#include "trace/powers_in.hpp"

#include <algorithm>

namespace refrain::trace {
namespace {

template <class T>
bool any_in(const std::vector<T>& list);

bool any_in(const RankExpression& e) {
  if (e.operation() == Operation::power) return true;
  for (size_t i = 0; i < e.operands(); ++i)
    if (any_in(e.operand(i))) return true;
  return false;
}

bool any_in(const RankSet& set) { return set.law() && any_in(*set.law()); }

bool any_in(const Number& n) { return n.expression() && any_in(*n.expression()); }

bool any_in(const Value& v);

bool any_in(const Alternative& a) { return any_in(a.ranks) || any_in(a.value); }

bool any_in(const Value& v) {
  if (v.form == Form::power) return true;
  if (v.law && (any_in(v.law->element) || any_in(v.law->length))) return true;
  return any_in(v.base) || any_in(v.step) || any_in(v.slopes) || any_in(v.entries) || any_in(v.alternatives);
}

bool any_in(const Node& n) {
  return any_in(n.ranks) || any_in(n.count) || any_in(n.parameters) || any_in(n.body);
}

bool any_in(const Stream& s) { return any_in(s.ranks) || any_in(s.prefix) || any_in(s.nodes); }

bool any_in(const Process& p) { return any_in(p.ranks) || any_in(p.ended_early) || any_in(p.streams); }

bool any_in(const Doubt& d) { return any_in(d.chosen) || any_in(d.other) || any_in(d.ranks); }

template <class T>
bool any_in(const std::vector<T>& list) {
  return std::any_of(list.begin(), list.end(), [](const T& x) { return any_in(x); });
}

}  // namespace

bool has_powers(const Trace& trace) { return any_in(trace.processes) || any_in(trace.doubts); }

}  // namespace refrain::trace
