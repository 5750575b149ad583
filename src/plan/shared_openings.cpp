#include "plan/shared_openings.hpp"

#include <algorithm>

#include "plan/file_calls.hpp"

namespace refrain::plan {
namespace {

using api::Trait;
using trace::Operand;
using trace::OperandKind;
using trace::Signature;
using Parameters = std::span<const int64_t>;

bool is_for_ranks(const Signature& s) { return api::traits_of(s.function).has(Trait::opens_for_ranks); }

bool is_for_one_rank(const Signature& s) {
  return std::any_of(s.operands.begin(), s.operands.end(), [](const Operand& o) {
    return o.kind == OperandKind::name && o.text == "MPI_COMM_SELF";
  });
}

bool opens_file(const Signature& s) { return api::traits_of(s.function).has(Trait::opens_file); }

int32_t owner(const Operand& o, int32_t thread) {
  return o.thread == Operand::own_thread ? thread : o.thread;
}

}  // namespace

SharedOpenings::SharedOpenings(const trace::Trace& trace) {
  for (const Signature& s : trace.signatures)
    if (is_for_ranks(s) && !opens_file(s) && !s.operands.empty() &&
        s.operands.front().kind == OperandKind::slot)
      classes_.insert(s.operands.front().text);
}

bool SharedOpenings::concerns(const Signature& s) const {
  if (classes_.empty()) return false;
  return (is_for_ranks(s) && !opens_file(s)) ||
         (s.result.kind == OperandKind::slot && classes_.contains(s.result.text));
}

bool SharedOpenings::has_shared_list(const CallPlan& plan, const Signature& s, int32_t thread,
                                     Parameters p) const {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const GivenArgument& g) {
    if (g.count == 0 || s.operands[g.first].kind != OperandKind::slot) return false;
    const Operand& o = s.operands[g.first];
    return shared_lists_.contains({owner(o, thread), o.text, p[g.parameter]});
  });
}

void SharedOpenings::take(const CallPlan& plan, const Signature& s, int32_t thread, Parameters p) {
  if (!concerns(s)) return;
  bool is_given = is_for_ranks(s);  // otherwise the call makes a list, perhaps as a copy of another
  const Operand& o = is_given ? s.operands.front() : s.result;
  if (o.kind != OperandKind::slot) return;
  List list{owner(o, thread), o.text, p[is_given ? plan.arguments.front().parameter : plan.result_parameter]};
  if (is_given ? !is_for_one_rank(s) : has_shared_list(plan, s, thread, p))
    shared_lists_.insert(list);
  else
    shared_lists_.erase(list);
}

bool SharedOpenings::opens_together(const CallPlan& plan, const Signature& s, int32_t thread,
                                    Parameters p) const {
  return is_for_ranks(s) ? !is_for_one_rank(s) : has_shared_list(plan, s, thread, p);
}

}  // namespace refrain::plan
