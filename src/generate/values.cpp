#include "generate/values.hpp"

#include <algorithm>
#include <utility>

#include "generate/refusal.hpp"

namespace refrain::generate {
namespace {

using trace::Form;
using trace::Node;
using trace::Number;
using trace::RankSet;
using trace::Value;

constexpr const char* in_order = "in the order of the calls; no rule over the loops' indices";

/// Alternatives are numbered behind the parameters, so that each has variables of its own.
constexpr size_t most_parameters = trace::Signature::max_parameters;

bool is_zero(const Number& n) {
  return n.is_constant() && (n.constant() == 0 || n.constant() == Value::any_slope);
}

/// `[a, b, a, a]` as a choice between two.
struct TwoValued {
  size_t other = 0;  ///< where the second value stands first
  std::vector<int64_t> which{};
};
std::optional<TwoValued> two_valued(const std::vector<Expression>& entries) {
  TwoValued found;
  for (size_t i = 0; i < entries.size(); ++i) {
    bool first = entries[i].text == entries[0].text;
    if (!first && found.other == 0) found.other = i;
    if (!first && entries[i].text != entries[found.other].text) return {};
    found.which.push_back(first ? 0 : 1);
  }
  return found;
}

/// False if no rank is in both sets; true if that isn't known.
bool may_meet(const RankSet& a, const RankSet& b) {
  if (a.empty() || b.empty()) return true;
  const RankSet &small = a.size() < b.size() ? a : b, &large = a.size() < b.size() ? b : a;
  if (small.size() > RankSet::most_listed) return true;
  std::vector<uint32_t> ranks = small.expand();
  return std::any_of(ranks.begin(), ranks.end(), [&](uint32_t rank) { return large.contains(rank); });
}

}  // namespace

Expression Values::parameter(const Place& place, size_t p) {
  return value(place.node->parameters[p], place, *place.ranks, p);
}

std::string Values::list(const Place& place, size_t p, const std::string& type) {
  Expression at = variable("at", {0, INT32_MAX});
  return filled_list(parameter(place, p).text, type, "(" + type + ")(" + element(place, p, at).text + ")");
}

std::string Values::filled_list(const std::string& length, const std::string& type,
                                const std::string& element) {
  std::string name = "list" + std::to_string(++lists_);
  upkeep_.before.push_back(type + " *" + name + " = room_for_list(" + length + ", sizeof(" + type + "));");
  upkeep_.before.push_back("for (long long at = 0; at < (" + length + "); ++at) " + name +
                           "[at] = " + element + ";");
  return name;
}

Expression Values::element(const Place& place, size_t p, const Expression& index) {
  const Number& number = place.node->parameters[p + 1].base;
  trace::RankExpression law =
      number.expression() ? *number.expression() : trace::RankExpression::constant(number.constant());
  return ranks_.element({.element = law}, index);
}

Expression Values::count(const Place& place) { return value(place.node->count, place, *place.ranks, 0); }

Values::Upkeep Values::take_upkeep() { return std::exchange(upkeep_, {}); }

std::optional<std::string> Values::counter(const Node& node) const {
  auto found = names_.find({&node, "n", 0});
  if (found == names_.end()) return {};
  return found->second;
}

std::string Values::variable_of(const Node* node, const char* what, size_t parameter) {
  auto [found, fresh] = names_.try_emplace({node, what, parameter});
  if (fresh) {
    variables_.push_back(what + std::to_string(variables_.size() + 1));
    found->second = state_ + "." + variables_.back();
  }
  return found->second;
}

/// The number of earlier executions of the node: computed from loop indices if all loops have constant
/// counts, otherwise counted by a variable.
Expression Values::executions(const Place& place) {
  if (!place.regular) {
    int64_t last = std::max<int64_t>(place.executions, 1) - 1;
    return variable(variable_of(place.node, "n", 0), {0, last});
  }
  Expression t = constant(0);
  for (const LoopScope& loop : place.loops) t = add(multiply(t, *loop.trips), loop.index);
  return t;
}

Expression Values::linear(const Value& v, const Place& place, const RankSet& ranks) {
  if (v.slopes.size() > place.loops.size()) throw Refusal{"a value that depends on a loop it isn't in"};
  Expression sum = constant(0);
  for (size_t d = 0; d < v.slopes.size(); ++d)
    if (!is_zero(v.slopes[d]))
      sum = add(sum, multiply(ranks_.number(v.slopes[d], ranks), place.loops[d].index));
  return add(sum, ranks_.number(v.base, ranks));
}

/// Element `index` of the value's list. If the list repeats with the inner loops at `place`, only their
/// indices are used.
Expression Values::listed(const Value& v, const Expression& index, const RankSet& ranks, const Place* place) {
  auto inner = [&](uint64_t size, const auto& same) {
    std::pair<Expression, uint64_t> found{index, size};
    if (place == nullptr || !place->regular || size > 4096) return found;
    Expression t = constant(0);
    uint64_t period = 1;
    for (size_t d = place->loops.size(); d-- > 0;) {
      bool repeats = period < size;
      for (uint64_t i = period; i < size && repeats; ++i) repeats = same(i, i - period);
      if (repeats) return std::pair{t, period};
      const LoopScope& loop = place->loops[d];
      t = add(multiply(loop.index, period == 1 ? constant(1) : inner_trips(*place, d)), t);
      period *= static_cast<uint64_t>(loop.trips->range.low);
    }
    return found;
  };
  if (v.law) return ranks_.element(*v.law, index);
  if (v.entries.empty()) {
    if (!v.column) return constant(0);
    if (v.column->size() > 4096) return tables_.at(*v.column, index, in_order);
    std::vector<int64_t> values = v.column->expand();
    auto [at, size] = inner(values.size(), [&](uint64_t a, uint64_t b) { return values[a] == values[b]; });
    values.resize(size);
    return tables_.at(trace::Column::of(values), at, in_order);
  }
  std::vector<Expression> entries;
  for (const Number& n : v.entries) entries.push_back(ranks_.number(n, ranks));
  auto [at, size] =
      inner(entries.size(), [&](uint64_t a, uint64_t b) { return entries[a].text == entries[b].text; });
  entries.resize(size);
  return element(entries, at);
}

/// The product of the counts of all loops inside loop `d`.
Expression Values::inner_trips(const Place& place, size_t d) {
  Expression trips = constant(1);
  for (size_t k = d + 1; k < place.loops.size(); ++k) trips = multiply(trips, *place.loops[k].trips);
  return trips;
}

/// One of several expressions.
Expression Values::element(const std::vector<Expression>& entries, const Expression& index) {
  if (entries.size() == 1) return entries[0];
  if (auto two = two_valued(entries)) {
    if (two->other == 0) return entries[0];
    Expression which = tables_.at(trace::Column::of(two->which), index, in_order);
    return select(which, entries[two->other], entries[0]);
  }
  std::string list = "(long long[]){";
  Range range{0, 0};
  for (size_t i = 0; i < entries.size(); ++i) {
    list += (i == 0 ? "" : ", ") + entries[i].text;
    range = range.united(entries[i].range);
  }
  list += "}";
  return call("lookup", {"(" + list + ")", std::to_string(entries.size()), index.text}, range);
}

/// Stores the value of a parameter under this name for the next execution of the node. Steps of parameters
/// may depend on each other in a cycle, so this must not ask again for what is being printed.
std::string Values::keep(const Place& place, size_t parameter) {
  const Value& v = place.node->parameters[parameter];
  std::string name = variable_of(place.node, "y", parameter);
  if (upkeep_.kept.insert(name).second) {
    std::string now = value(v, place, *place.ranks, parameter).text;
    upkeep_.after.push_back(name + " = " + now + ";");
  }
  return name;
}

/// The running value of `node` in its next execution.
Expression Values::next(const Value& v, const Node& node, const Place& place, const RankSet& ranks,
                        size_t which) {
  if (v.parameter >= node.parameters.size()) throw Refusal{"a value that follows another that isn't there"};
  Expression t = executions(place), base = ranks_.number(v.base, ranks);
  if (t.is_constant(0)) return base;
  Expression before = variable(variable_of(&node, "x", which));
  const Value& other = node.parameters[v.parameter];
  Expression by =
      other.is_constant() ? constant(other.constant_value()) : variable(variable_of(&node, "y", v.parameter));
  Expression sum = add(before, multiply(ranks_.number(v.step, ranks), by));
  return select({t.at_least(Binding::sum) + " > 0", Binding::relation, {0, 1}, true}, sum, base);
}

/// The base in the first execution, then the previous value plus a step.
Expression Values::running(const Value& v, const Place& place, const RankSet& ranks, size_t which) {
  Expression now = next(v, *place.node, place, ranks, which);
  if (executions(place).is_constant(0)) return now;
  std::string name = variable_of(place.node, "x", which);
  if (upkeep_.kept.insert(name).second) {
    upkeep_.before.push_back(name + " = " + now.text + ";");
    if (!place.node->parameters[v.parameter].is_constant()) keep(place, v.parameter);
  }
  return variable(name);
}

void Values::keep_for_others(const Place& place) {
  if (place.siblings == nullptr || place.siblings->empty()) return;
  auto [found, fresh] = copied_in_.try_emplace(place.siblings);
  auto& copied = found->second;
  if (fresh)
    for (const Node& node : *place.siblings) {
      auto note = [&](const Value& v) {
        if (v.form == Form::copy) copied.insert({v.sibling, v.parameter});
      };
      auto note_all = [&](const Value& v) {
        note(v);
        for (const auto& a : v.alternatives) note(a.value);
      };
      note_all(node.count);
      for (const Value& v : node.parameters) note_all(v);
    }
  auto number = static_cast<uint32_t>(place.node - place.siblings->data());
  auto begin = copied.lower_bound({number, 0});
  for (auto at = begin; at != copied.end() && at->first == number; ++at) {
    size_t p = at->second;
    if (p >= place.node->parameters.size()) continue;
    const Value& v = place.node->parameters[p];
    if (v.form == Form::running) running(v, place, *place.ranks, p);
    for (size_t i = 0; i < v.alternatives.size(); ++i)
      if (const auto& a = v.alternatives[i]; a.value.form == Form::running)
        running(a.value, place, a.ranks, p + i * most_parameters);
  }
}

/// The value of another call of the same body, in its execution of the same number. Only running values are
/// stored in variables; others are printed again. Alternatives that are copies themselves belong to ranks
/// that copy something else.
Expression Values::copied(const Value& v, const Place& place, const RankSet& ranks) {
  if (place.siblings == nullptr || v.sibling >= place.siblings->size())
    throw Refusal{"a value copied from a call that isn't there"};
  const Node& other = (*place.siblings)[v.sibling];
  if (other.kind != trace::NodeKind::event || v.parameter >= other.parameters.size())
    throw Refusal{"a value copied from a call that isn't there"};
  const RankSet& others = other.ranks.empty() ? *place.around : other.ranks;
  auto original = [&](const Value& source, const RankSet& of, size_t which) {
    if (source.form == Form::copy) throw Refusal{"a value copied from a copy"};
    if (source.form != Form::running) return value(source, place, of, which);
    if (&other > place.node || executions(place).is_constant(0)) return next(source, other, place, of, which);
    if (&other == place.node) return running(source, place, of, which);
    return variable(variable_of(&other, "x", which));
  };
  const Value& source = other.parameters[v.parameter];
  Expression base = ranks_.number(v.base, ranks);
  if (source.form != Form::by_rank) return add(original(source, others, v.parameter), base);
  auto asked = [&](const trace::Alternative& a) {
    bool known = !a.ranks.law() && !ranks.law();
    return known ? may_meet(a.ranks, ranks) : a.value.form != Form::copy;
  };
  return add(by_rank(source, others, v.parameter, asked, original), base);
}

/// The value of the rank's alternative, among those `asked` for; `of` prints one of them.
template <class Asked, class Of>
Expression Values::by_rank(const Value& v, const RankSet& ranks, size_t parameter, Asked asked, Of of) {
  std::optional<Expression> chosen;
  for (size_t i = v.alternatives.size(); i-- > 0;) {
    const trace::Alternative& a = v.alternatives[i];
    if (!asked(a)) continue;
    Expression here = of(a.value, a.ranks, parameter + i * most_parameters);
    chosen = chosen ? select(ranks_.condition(a.ranks, ranks), here, *chosen) : here;
  }
  if (!chosen) throw Refusal{"a value without alternatives"};
  return *chosen;
}

Expression Values::value(const Value& v, const Place& place, const RankSet& ranks, size_t which) {
  switch (v.form) {
    case Form::affine:
      return linear(v, place, ranks);
    case Form::counter:
      return add(multiply(ranks_.number(v.step, ranks), executions(place)), ranks_.number(v.base, ranks));
    case Form::running:
      return running(v, place, ranks, which);
    case Form::copy:
      return copied(v, place, ranks);
    case Form::separable:
      if (v.depth >= place.loops.size()) throw Refusal{"a value that depends on a loop it isn't in"};
      return add(listed(v, place.loops[v.depth].index, ranks), linear(v, place, ranks));
    case Form::column:
      return add(listed(v, executions(place), ranks, &place), ranks_.number(v.base, ranks));
    case Form::power:
      if (v.depth >= place.loops.size()) throw Refusal{"a value that depends on a loop it isn't in"};
      return add(power(ranks_.number(v.step, ranks), v.ratio, place.loops[v.depth].index),
                 linear(v, place, ranks));
    case Form::by_rank: {
      auto all = [](const trace::Alternative&) { return true; };
      auto of = [&](const Value& a, const RankSet& its, size_t kept_as) {
        return value(a, place, its, kept_as);
      };
      return by_rank(v, ranks, which, all, of);
    }
  }
  throw Refusal{"a value of an unknown form"};
}

}  // namespace refrain::generate
