// The job with the most work left first, its pending I/O included: the last to end decides the makespan.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency longest_remaining(const Request& request) { return {.since = -request.remaining}; }

}  // namespace refrain::schedule
