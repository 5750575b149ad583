// Any bytes as a trace, given to what the commands do with one beyond reading and printing it: info,
// generate, jobs, diff and extrapolate come to an end, soon, with a result or a reason.
#include <cstdio>
#include <cstdlib>

#include "advise/finding.hpp"
#include "compare/counters.hpp"
#include "extrapolate/extrapolate.hpp"
#include "format/file.hpp"
#include "generate/kernel.hpp"
#include "jobs/job_phases.hpp"
#include "measure/accesses.hpp"
#include "measure/heat_view.hpp"
#include "measure/summary.hpp"
#include "scale/at_size.hpp"
#include "scale/formula_totals.hpp"
#include "sections.hpp"
#include "trace/sample.hpp"

namespace {

using namespace refrain;

constexpr uint32_t some_ranks = 6;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

template <class T>
bool is_fine(const Result<T>& result) {
  require(result || !result.error().message.empty(), "errors have a reason");
  return result.has_value();
}

void run(const trace::Trace& t) {
  measure::summarize(t);
  measure::count_accesses(t);
  measure::heat_view(t);
  advise::advise(t);
  compare::counters(t, true);
  is_fine(generate::generate(t, {}));
  is_fine(generate::generate(t, {.process = 0, .anonymize = true}));
  is_fine(jobs::job_of(t, {}));
}

/// Together with runs that are what they seem to be.
void extrapolate_with_others(const trace::Trace& t) {
  std::vector<trace::Trace> runs;
  for (uint32_t ranks : {4u, 8u, 16u})
    if (auto other = scale::at_size(trace::sample::scale_free(), ranks)) runs.push_back(std::move(*other));
  runs.push_back(t);
  is_fine(extrapolate::extrapolate(runs));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto t = format::decode(fuzz::as_file({data, size}));
  if (!t) return 0;
  if (t->scale_free()) {
    scale::formula_totals(*t);
    is_fine(generate::generate(*t, {}));
    t = scale::at_size(*t, some_ranks);
    if (!is_fine(t)) return 0;
  }
  run(*t);
  extrapolate_with_others(*t);
  return 0;
}
