// All rules, and what applies them.
#include <algorithm>
#include <iterator>

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

bool same_place(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.place.process == b.place.process && a.place.thread == b.place.thread &&
         a.place.layer == b.place.layer && a.place.path == b.place.path;
}

/// A call in a loop over files is found once for each of them: from `first` on, such findings become one.
void join_same_places(Findings& findings, size_t first) {
  Findings joined;
  std::vector<double> files;
  for (size_t i = first; i < findings.size(); ++i) {
    auto known = std::find_if(joined.begin(), joined.end(),
                              [&](const Finding& f) { return same_place(f, findings[i]); });
    if (known == joined.end()) {
      joined.push_back(std::move(findings[i]));
      files.push_back(1);
      continue;
    }
    ++files[static_cast<size_t>(known - joined.begin())];
    known->time_ns += findings[i].time_ns;
    for (Figure& figure : known->figures)
      for (const Figure& other : findings[i].figures)
        if (figure.name == other.name && (figure.name == "calls" || figure.unit == "ns"))
          figure.value += other.value;
  }
  for (size_t i = 0; i < joined.size(); ++i)
    if (files[i] > 1) joined[i].figures.push_back({"files", files[i]});
  findings.resize(first);
  std::move(joined.begin(), joined.end(), std::back_inserter(findings));
}

}  // namespace

Advice advise(const trace::Trace& trace) {
  Advice advice;
  FileCalls file_calls(trace);
  for (size_t p = 0; p < trace.processes.size(); ++p) {
    const View view(trace, p, &file_calls);
    advice.io_time_ns += view.io_time_ns();
    advice.complete &= view.complete();
    for (const Rule* rule : rules) {
      size_t first = advice.findings.size();
      rule->check(view, advice.findings);
      for (size_t i = first; i < advice.findings.size(); ++i) advice.findings[i].rule = rule->name;
      join_same_places(advice.findings, first);
    }
  }
  if (advice.io_time_ns == 0)  // of a trace without times
    for (Finding& finding : advice.findings)
      std::erase_if(finding.figures, [](const Figure& figure) { return figure.unit == "ns"; });
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
