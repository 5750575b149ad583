#include "extrapolate/equal_names.hpp"

#include <map>
#include <utility>
#include <vector>

#include "trace/references.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Value;

class Turner {
 public:
  explicit Turner(const trace::Trace& trace) : trace_(trace) {
    std::map<std::pair<std::vector<std::string>, std::vector<uint8_t>>, int64_t> seen;
    for (const trace::Template& t : trace.templates) {
      auto next = static_cast<int64_t>(first_.size());
      first_.push_back(seen.emplace(std::pair(t.literals, t.widths), next).first->second);
    }
  }

  void nodes(std::vector<Node>& list) const {
    for (Node& node : list) {
      nodes(node.body);
      if (node.kind == NodeKind::event)
        trace::for_references(trace_.signatures[node.signature], trace::OperandKind::text,
                              [&](size_t p) { value(node.parameters[p]); });
    }
  }

 private:
  void value(Value& v) const {
    for (trace::Alternative& a : v.alternatives) value(a.value);
    if (v.form != Form::affine || !v.slopes.empty()) return;
    if (v.base.is_constant()) {
      v.base = Number(first(v.base.constant()));
    } else if (const Column* table = v.base.table()) {
      std::vector<int64_t> numbers = table->expand();
      for (int64_t& n : numbers) n = first(n);
      v.base = Number(Column::of(numbers));
    }
  }

  int64_t first(int64_t number) const {
    bool known = number >= 0 && static_cast<uint64_t>(number) < first_.size();
    return known ? first_[static_cast<size_t>(number)] : number;
  }

  const trace::Trace& trace_;
  std::vector<int64_t> first_;  ///< of the templates equal to this one
};

}  // namespace

void refer_to_first_names(trace::Trace& trace) {
  const Turner turner(trace);
  for (trace::Process& p : trace.processes)
    for (trace::Stream& s : p.streams) turner.nodes(s.nodes);
}

}  // namespace refrain::extrapolate
