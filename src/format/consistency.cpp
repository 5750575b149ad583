// Checks of a whole trace; see consistency.hpp.
#include "format/consistency.hpp"

#include <algorithm>

#include "trace/at_rank.hpp"
#include "trace/name_list.hpp"
#include "trace/references.hpp"

namespace refrain::format {

using namespace trace;

namespace {

bool is_index(const Value& v, size_t size) {
  return !v.is_constant() || (v.constant_value() >= 0 && static_cast<uint64_t>(v.constant_value()) < size);
}

/// Tables have one value per rank; numbers that vary need ranks to vary over.
bool fits(const Number& n, uint64_t ranks) {
  if (n.is_constant()) return true;
  return ranks > 0 && (!n.table() || n.table()->size() == ranks);
}

/// Alternatives are looked at by themselves.
bool fits(const Value& v, uint64_t ranks) {
  auto all = [&](const std::vector<Number>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [&](const Number& n) { return fits(n, ranks); });
  };
  return fits(v.base, ranks) && fits(v.step, ranks) && all(v.slopes) && all(v.entries);
}

/// A number that depends on rank and number of ranks at most, as those of lists given by laws.
bool is_number(const Value& v) {
  return v.form == Form::affine && v.slopes.empty() && v.base.table() == nullptr;
}

/// Whether an expression may stand in a trace of one number of ranks: it knows the rank alone.
bool is_ordinary(const RankExpression& e) {
  if (e.operation() == Operation::variable) return e.number() == static_cast<int64_t>(Variable::rank);
  bool of_rank = e.operation() == Operation::power || e.operation() == Operation::logarithm;
  if (e.operation() > Operation::both && !of_rank) return false;
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

  /// Empty if all is well.
  std::string process(const Process& p) {
    if (trace_.nprocs > 0 && !p.ranks.empty() && !p.ranks.law() && p.ranks.last() >= trace_.nprocs)
      return "rank " + std::to_string(p.ranks.last()) + " in a job of " + std::to_string(trace_.nprocs) +
             " ranks";
    if (p.ranks.size() > RankSet::most_listed) return "more ranks than a trace may have";
    if (!within(p.ended_early, p.ranks)) return "ranks that ended early aren't ranks of the process";
    for (const RankLoss& lost : p.losses)
      if (!p.ranks.contains(lost.rank))
        return "losses of rank " + std::to_string(lost.rank) + ", which isn't there";
    uint64_t last = p.ranks.empty() || p.ranks.law() ? 0 : p.ranks.last();
    if (!p.heat.empty() && p.heat.rows.back().number > last >> p.heat.group_log2)
      return "heat map of ranks that the process doesn't have";
    return {};
  }

  std::string stream(const Stream& s, const Process& p) {
    if (!within(s.ranks, p.ranks)) return "stream of ranks that the process doesn't have";
    const RankSet& ranks = ranks_of(s, p);
    if (!trace_.scale_free() && !fits(s.prefix, ranks.size())) return "prefix of another number of ranks";
    return nodes(s.nodes, ranks);
  }

 private:
  /// `around`: who runs what encloses the list.
  std::string nodes(const std::vector<Node>& list, const RankSet& around) {
    for (const Node& node : list) {
      const RankSet& ranks = ranks_of(node, around);
      if (!within(node.ranks, around)) return "node of ranks that don't run what encloses it";
      if (std::string reason = value(node.count, ranks); !reason.empty()) return reason;
      for (const Value& v : node.parameters)
        if (std::string reason = value(v, ranks); !reason.empty()) return reason;
      std::string reason = node.kind == NodeKind::event ? event(node) : nodes(node.body, ranks);
      if (!reason.empty()) return reason;
    }
    return {};
  }

  std::string value(const Value& v, const RankSet& ranks) {
    if (trace_.scale_free()) return {};
    uint64_t members = 0;
    for (const Alternative& a : v.alternatives) {
      members += a.ranks.size();
      if (!within(a.ranks, ranks) || members > ranks.size())
        return "alternatives of ranks that don't run the node";
      if (!fits(a.value, a.ranks.size())) return "table of another number of ranks";
    }
    return fits(v, ranks.size()) ? std::string() : "table of another number of ranks";
  }

  bool within(const RankSet& set, const RankSet& around) {
    return set.empty() || trace_.scale_free() || set.is_within(around, steps_);
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

  static constexpr uint64_t most_steps = uint64_t{1} << 24;

  const Trace& trace_;
  uint64_t steps_ = most_steps;  ///< left for looking at sets of ranks
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
  for (size_t p = 0; p < trace.processes.size(); ++p) {
    const Process& process = trace.processes[p];
    std::string where = "process " + std::to_string(p);
    if (std::string reason = checker.process(process); !reason.empty())
      return fail(ErrorKind::bad_input, std::move(reason), std::move(where));
    for (const Stream& stream : process.streams)
      if (std::string reason = checker.stream(stream, process); !reason.empty())
        return fail(ErrorKind::bad_input, std::move(reason),
                    where + " thread " + std::to_string(stream.thread));
  }
  return {};
}

}  // namespace refrain::format
