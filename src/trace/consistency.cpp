// Checks of a whole trace; see consistency.hpp.
#include "trace/consistency.hpp"

namespace refrain::trace {
namespace {

bool is_index(const Value& v, size_t size) {
  return !v.is_constant() || (v.base >= 0 && static_cast<uint64_t>(v.base) < size);
}

class Checker {
 public:
  explicit Checker(const Trace& trace) : trace_(trace) {}

  /// Empty if all is well.
  std::string nodes(const std::vector<Node>& list) {
    for (const Node& node : list) {
      std::string reason = node.kind == NodeKind::event ? event(node) : nodes(node.body);
      if (!reason.empty()) return reason;
    }
    return {};
  }

 private:
  std::string event(const Node& node) {
    if (node.signature >= trace_.signatures.size()) return "unknown signature";
    const Signature& s = trace_.signatures[node.signature];
    if (node.parameters.size() != s.parameters()) return "wrong number of parameters of " + s.function;
    size_t at = 0;
    for (const Operand& operand : s.operands) {
      if (!fits(operand, node.parameters, at)) return "argument out of range in " + s.function;
      at += operand.parameters();
    }
    return fits(s.result, node.parameters, at) ? std::string() : "result out of range in " + s.function;
  }

  bool fits(const Operand& operand, const std::vector<Value>& parameters, size_t at) const {
    if (operand.kind == OperandKind::long_list) return is_index(parameters[at], trace_.lists.size());
    if (operand.kind != OperandKind::text) return true;
    const Value& index = parameters[at];
    if (!is_index(index, trace_.templates.size())) return false;
    return !index.is_constant() ||
           trace_.templates[static_cast<size_t>(index.base)].fields() == operand.width;
  }

  const Trace& trace_;
};

}  // namespace

Result<void> check(const Trace& trace) {
  Checker checker(trace);
  for (size_t p = 0; p < trace.processes.size(); ++p)
    for (const Stream& stream : trace.processes[p].streams) {
      std::string reason = checker.nodes(stream.nodes);
      if (!reason.empty())
        return fail(ErrorKind::bad_input, std::move(reason),
                    "process " + std::to_string(p) + " thread " + std::to_string(stream.thread));
    }
  return {};
}

}  // namespace refrain::trace
