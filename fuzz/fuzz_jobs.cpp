// Any bytes as a job file: either refused with one line, or a workload that is written and read again
// unchanged and, if it is small, can be simulated, no faster than its lower bound.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "schedule/gantt.hpp"
#include "schedule/job_file.hpp"

namespace {

using namespace refrain;
using namespace refrain::schedule;

constexpr uint64_t most_phases = 2000;
constexpr size_t most_io_nodes = 50;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

bool is_small(const Workload& workload) {
  uint64_t phases = 0;
  for (const Job& job : workload.jobs) {
    if (job.phase_count() > most_phases) return false;
    phases += job.phase_count();
  }
  return phases <= most_phases && workload.machine.io_nodes.size() <= most_io_nodes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<Workload> workload = parse_workload({reinterpret_cast<const char*>(data), size});
  if (!workload) {
    std::string text = workload.error().text();
    require(!text.empty() && text.find('\n') == std::string::npos, "errors are one line");
    return 0;
  }
  std::string text = workload_text(*workload);
  Result<Workload> again = parse_workload(text);
  require(again.has_value(), "what was written is accepted");
  require(workload_text(*again) == text, "writing again gives the same text");
  if (!is_small(*workload)) return 0;
  const Discipline disciplines[] = {{.policy = *find_policy("stretch")},
                                    {.policy = *find_policy("shortest-io")},
                                    {.sharing = Sharing::shared, .degradation = 0.5},
                                    {.sharing = Sharing::preemptive}};
  for (MappingKind kind : {MappingKind::make_pack, MappingKind::backfill, MappingKind::easy}) {
    for (const Discipline& discipline : disciplines) {
      std::vector<IoInterval> log;
      Outcome outcome = simulate(*workload, {discipline, {kind, 1.2}}, &log, 1000);
      double slack = 2e-9 * static_cast<double>(2 * most_phases);  // every I/O is rounded once
      require(in_seconds(outcome.makespan) + slack >= in_seconds(outcome.bounds.best()) * (1 - 1e-9),
              "no schedule beats the lower bound");
      gantt_svg(*workload, outcome, log);
    }
  }
  return 0;
}
