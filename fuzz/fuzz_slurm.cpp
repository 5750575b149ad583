// Any bytes as what squeue and sinfo print, one behind the other with a zero between them: refused with one
// line, or jobs and nodes about which every mapping can decide.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "coordinate/dispatch.hpp"
#include "coordinate/job_profile.hpp"

namespace {

using namespace refrain;
using namespace refrain::coordinate;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  size_t zero = std::min(text.find('\0'), text.size());
  if (std::optional<JobProfile> profile = read_profile(text)) {
    std::optional<JobProfile> again = read_profile(profile_text(*profile));
    require(again.has_value(), "a profile that was written is read");
  }
  Result<std::vector<SlurmJob>> jobs = read_jobs(text.substr(0, zero));
  Result<std::vector<SlurmNode>> nodes = read_nodes(text.substr(std::min(zero + 1, text.size())));
  if (!jobs || !nodes) return 0;
  SlurmState state{std::move(*jobs), std::move(*nodes)};
  DispatchOptions options{.partitions = {"io0", "io1"}, .bandwidth = {1}};
  for (auto kind : {schedule::MappingKind::first_fit, schedule::MappingKind::make_pack,
                    schedule::MappingKind::backfill, schedule::MappingKind::easy}) {
    options.mapping = {kind, 1};
    Decision decision = decide(state, options, 1'794'880'000 * schedule::second);
    require(decision.starts.size() <= state.jobs.size(), "no job starts twice");
  }
  return 0;
}
