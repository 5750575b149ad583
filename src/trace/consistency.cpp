// Checks of a whole trace; see consistency.hpp.
#include "trace/consistency.hpp"

#include <algorithm>

#include "trace/at_rank.hpp"
#include "trace/name_list.hpp"
#include "trace/references.hpp"

namespace refrain::trace {
namespace {

bool is_index(const Value& v, size_t size) {
  return !v.is_constant() || (v.constant_value() >= 0 && static_cast<uint64_t>(v.constant_value()) < size);
}

/// Tables have one value per rank; numbers that vary need ranks to vary over.
bool fits(const Number& n, uint64_t ranks) {
  if (n.is_constant()) return true;
  return ranks > 0 && (!n.table() || n.table()->size() == ranks);
}

bool fits(const Value& v, uint64_t ranks) {
  auto all = [&](const std::vector<Number>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [&](const Number& n) { return fits(n, ranks); });
  };
  if (v.form == Form::by_rank)
    return std::all_of(v.alternatives.begin(), v.alternatives.end(), [&](const Alternative& a) {
      return a.ranks.size() <= ranks && fits(a.value, a.ranks.size());
    });
  return fits(v.base, ranks) && fits(v.step, ranks) && all(v.slopes) && all(v.entries);
}

/// A number that depends on rank and number of ranks at most, as those of lists given by laws.
bool is_number(const Value& v) {
  return v.form == Form::affine && v.slopes.empty() && v.base.table() == nullptr;
}

/// Whether an expression may stand in a trace of one number of ranks: it knows the rank alone.
bool is_ordinary(const RankExpression& e) {
  if (e.operation() == Operation::variable) return e.number() == static_cast<int64_t>(Variable::rank);
  if (e.operation() > Operation::both && e.operation() != Operation::power) return false;
  for (size_t i = 0; i < e.operands(); ++i)
    if (!is_ordinary(e.operand(i))) return false;
  return true;
}

/// What a trace may hold: one of a number of ranks has no laws, a scale-free one has no tables over ranks and
/// no sets that list them.
class Kinds {
 public:
  explicit Kinds(const Trace& trace) : trace_(trace), free_(trace.scale_free()) {}

  bool good(const Process& p) const {
    if (free_ != (p.ranks.law() != nullptr) || p.ended_early.law()) return false;
    return std::all_of(p.streams.begin(), p.streams.end(),
                       [&](const Stream& s) { return good(s.ranks) && good(s.prefix) && good(s.nodes); });
  }

 private:
  bool good(const RankSet& set) const {
    return set.empty() || (free_ ? set.law() && is_free(*set.law()) : !set.law());
  }
  bool good(const Number& n) const {
    if (n.is_constant()) return true;
    if (free_) return n.expression() && is_free(*n.expression());
    return !n.expression() || is_ordinary(*n.expression());
  }
  bool good(const std::vector<Number>& numbers) const {
    return std::all_of(numbers.begin(), numbers.end(), [&](const Number& n) { return good(n); });
  }
  bool good(const Value& v) const {
    if (v.law && !free_) return false;
    for (const Alternative& a : v.alternatives)
      if (!good(a.ranks) || !good(a.value)) return false;
    return good(v.base) && good(v.step) && good(v.slopes) && good(v.entries);
  }
  bool good(const std::vector<Node>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](const Node& n) {
      if (!good(n.ranks) || !good(n.count) || !good(n.body)) return false;
      std::vector<bool> elements = elements_of_law_lists(n);
      for (size_t p = 0; p < n.parameters.size(); ++p)
        if (elements[p] ? !is_number(n.parameters[p]) : !good(n.parameters[p])) return false;
      return true;
    });
  }
  /// Which parameters of an event are elements of lists: only these know their place in one.
  std::vector<bool> elements_of_law_lists(const Node& n) const {
    std::vector<bool> out(n.parameters.size(), false);
    if (!free_ || n.kind != NodeKind::event || n.signature >= trace_.signatures.size()) return out;
    for_references(trace_.signatures[n.signature], OperandKind::law_list, [&](size_t at) {
      if (at + 1 < out.size()) out[at + 1] = true;
    });
    return out;
  }
  static bool is_free(const RankExpression& e) { return !e.depends_on(Variable::index); }

  const Trace& trace_;
  bool free_;
};

class Checker {
 public:
  explicit Checker(const Trace& trace) : trace_(trace) {}

  /// Empty if all is well. `around`: how many ranks run what encloses the list.
  std::string nodes(const std::vector<Node>& list, uint64_t around) {
    for (const Node& node : list) {
      uint64_t ranks = node.ranks.empty() ? around : node.ranks.size();
      if (ranks > around) return "node of more ranks than run what encloses it";
      if (!trace_.scale_free() && !numbers_fit(node, ranks)) return "table of another number of ranks";
      std::string reason = node.kind == NodeKind::event ? event(node) : nodes(node.body, ranks);
      if (!reason.empty()) return reason;
    }
    return {};
  }

 private:
  static bool numbers_fit(const Node& node, uint64_t ranks) {
    return fits(node.count, ranks) && std::all_of(node.parameters.begin(), node.parameters.end(),
                                                  [&](const Value& v) { return fits(v, ranks); });
  }

  std::string event(const Node& node) {
    if (node.signature >= trace_.signatures.size()) return "unknown signature";
    const Signature& s = trace_.signatures[node.signature];
    if (node.parameters.size() != s.parameters()) return "wrong number of parameters of " + s.function;
    size_t at = 0;
    for (const Operand& operand : s.operands) {
      if (!refers(operand, node.parameters, at)) return "argument out of range in " + s.function;
      at += operand.parameters();
    }
    return refers(s.result, node.parameters, at) ? std::string() : "result out of range in " + s.function;
  }

  bool refers(const Operand& operand, const std::vector<Value>& parameters, size_t at) const {
    if (operand.kind == OperandKind::long_list) return is_index(parameters[at], trace_.lists.size());
    if (operand.kind == OperandKind::law_list)
      return trace_.scale_free() && is_number(parameters[at]) && is_number(parameters[at + 1]);
    if (operand.kind == OperandKind::law_names)
      return trace_.scale_free() && are_counts(operand, parameters, at);
    if (operand.kind != OperandKind::text) return true;
    const Value& index = parameters[at];
    if (!is_index(index, trace_.templates.size())) return false;
    return !index.is_constant() ||
           trace_.templates[static_cast<size_t>(index.constant_value())].fields() == operand.width;
  }

  static bool are_counts(const Operand& operand, const std::vector<Value>& parameters, size_t at) {
    auto names = name_runs("[" + operand.text + "]");
    if (!names || names->size() != operand.width) return false;
    auto first = parameters.begin() + static_cast<std::ptrdiff_t>(at);
    return std::all_of(first, first + operand.width, is_number);
  }

  const Trace& trace_;
};

}  // namespace

Result<void> check(const Trace& trace) {
  Checker checker(trace);
  Kinds kinds(trace);
  for (size_t p = 0; p < trace.processes.size(); ++p)
    if (!kinds.good(trace.processes[p]))
      return fail(
          ErrorKind::bad_input,
          trace.scale_free() ? "ranks listed in a scale-free trace" : "laws in a trace that isn't scale-free",
          "process " + std::to_string(p));
  for (size_t p = 0; p < trace.processes.size(); ++p)
    for (const Stream& stream : trace.processes[p].streams) {
      uint64_t ranks = ranks_of(stream, trace.processes[p]).size();
      std::string reason = checker.nodes(stream.nodes, ranks);
      if (!trace.scale_free() && !fits(stream.prefix, ranks)) reason = "prefix of another number of ranks";
      if (ranks > trace.processes[p].ranks.size()) reason = "stream of more ranks than the process has";
      if (!reason.empty())
        return fail(ErrorKind::bad_input, std::move(reason),
                    "process " + std::to_string(p) + " thread " + std::to_string(stream.thread));
    }
  return {};
}

}  // namespace refrain::trace
