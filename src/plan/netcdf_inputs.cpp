#include "plan/netcdf_inputs.hpp"

namespace refrain::plan {

using trace::OperandKind;

void keep_netcdf_header(FileFacts& facts, const trace::Trace& trace, const CallPlan& plan,
                        const trace::Signature& s, std::span<const int64_t> parameters) {
  for (const GivenArgument& g : plan.arguments) {
    if (api::facts_of(g.argument->kind).operands != api::Operands::rest) continue;
    size_t at = g.parameter;
    for (size_t k = 0; k < g.count; ++k) {
      const trace::Operand& o = s.operands[g.first + k];
      auto own = parameters.subspan(at, o.parameters());
      at += o.parameters();
      if (k == 0 && o.kind == OperandKind::list) facts.header.assign(own.begin(), own.end());
      if (k == 0 && o.kind == OperandKind::long_list)
        if (auto index = static_cast<size_t>(own[0]); index < trace.lists.size())
          facts.header = trace.lists[index].expand();
      if (k > 0 && o.kind == OperandKind::text)
        facts.names += text_at(trace.templates, own, o.width).value_or("");
    }
    facts.must_be_copied = facts.header.empty();
  }
}

}  // namespace refrain::plan
