// Where and when jobs really ran, as JSON: {"jobs": [{"id": 3, "partition": 0, "start": 0.5, "end": 12.25}]}.
// Other fields don't matter, so that what `refrain schedule simulate --json` prints is such a file, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "schedule/simulation.hpp"

namespace refrain::schedule {

/// By position of the job in the workload, each of which must be there. An error names what is wrong.
Result<std::vector<Placement>> parse_placements(std::string_view text, const Workload& workload);
Result<std::vector<Placement>> read_placements(const std::string& path, const Workload& workload);

}  // namespace refrain::schedule
