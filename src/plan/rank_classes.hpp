// Ranks that do the same. What a rank does follows from the rank sets it belongs to and from the numbers that
// depend on the rank; two ranks that agree in all of these make the same calls with the same parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::plan {

/// The first two ranks and the last one of each class of ranks that do the same in the process, in order. All
/// ranks if finding the classes would take longer than running all ranks.
std::vector<uint32_t> typical_ranks(const trace::Process& process);

}  // namespace refrain::plan
