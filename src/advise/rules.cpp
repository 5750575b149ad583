// All rules, and what applies them.
#include <algorithm>

#include "advise/rule.hpp"

namespace refrain::advise {
namespace {

const Rule* const rules[] = {
    &small_accesses,
    &unaligned_accesses,
    &uncoordinated_ranks,
    &independent_transfers,
    &broken_collectives,
    &sync_storm,
    &reopened_files,
    &stat_storm,
    &one_rank,
    &imbalance,
    &read_back,
    &unaligned_objects,
    &crossed_chunks,
    &independent_metadata,
    &sieving,
};

}  // namespace

Advice advise(const trace::Trace& trace) {
  Advice advice;
  for (size_t p = 0; p < trace.processes.size(); ++p) {
    const View view(trace, p);
    advice.io_time_ns += view.io_time_ns();
    advice.complete &= view.complete();
    for (const Rule* rule : rules) {
      size_t first = advice.findings.size();
      rule->check(view, advice.findings);
      for (size_t i = first; i < advice.findings.size(); ++i) advice.findings[i].rule = rule->name;
    }
  }
  std::stable_sort(advice.findings.begin(), advice.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.time_ns > b.time_ns; });
  return advice;
}

std::vector<RuleName> rule_names() {
  std::vector<RuleName> names;
  for (const Rule* rule : rules) names.push_back({std::string(rule->name), std::string(rule->about)});
  return names;
}

}  // namespace refrain::advise
