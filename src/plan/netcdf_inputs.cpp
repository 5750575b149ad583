#include "plan/netcdf_inputs.hpp"

namespace refrain::plan {
namespace {

using trace::OperandKind;

std::string text_at(const trace::Trace& trace, const trace::Operand& o, std::span<const int64_t> from) {
  auto number = static_cast<size_t>(from[0]);
  if (number >= trace.templates.size() || trace.templates[number].fields() != o.width) return {};
  return trace.templates[number].fill(from.data() + 1);
}

}  // namespace

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
      if (k > 0 && o.kind == OperandKind::text) facts.names += text_at(trace, o, own);
    }
    facts.must_be_copied = facts.header.empty();
  }
}

}  // namespace refrain::plan
