// See replay_needs.hpp.
#include "cli/replay_needs.hpp"

#include <algorithm>

#include "api/layers.hpp"
#include "api/table.hpp"
#include "cli/installation.hpp"
#include "plan/arguments.hpp"

namespace refrain::cli {

namespace {

bool needs_mpi(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const auto& s) {
    return api::layer_named(s.layer).needs_mpi || api::traits_of(s.function).has(api::Trait::opens_for_ranks);
  });
}

}  // namespace

bool uses_parallel_libraries(const trace::Trace& trace) {
  for (const trace::Signature& s : trace.signatures)
    if (api::traits_of(s.function).has_any({api::Trait::needs_mpi, api::Trait::starts_mpi})) return true;
  return false;
}

bool uses_mpi(const trace::Trace& trace, const replay::Place& place) {
  return place.launched || needs_mpi(trace);
}

Result<void> check_mpi(const trace::Trace& trace, const replay::Place& place) {
  bool needed = needs_mpi(trace) || (place.launched && place.size > 1);
  if (!needed || can_record(api::facts_of(api::Layer::mpi).name)) return {};
  return fail(ErrorKind::limit, "this refrain was built without MPI, which this replay needs");
}

bool keeps_attributes(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const trace::Signature& s) {
    Result<plan::CallPlan> plan = plan::plan_call(s);
    return plan &&
           std::any_of(plan->arguments.begin(), plan->arguments.end(), [&s](const plan::GivenArgument& g) {
             return g.argument->kind == api::Kind::h5_attribute_in && g.count == 2 &&
                    s.operands[g.first + 1].kind == trace::OperandKind::text;
           });
  });
}

}  // namespace refrain::cli
