// The job with the least work left first, its pending I/O included: frees nodes as soon as possible.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency shortest_remaining(const Request& request) { return {.since = request.remaining}; }

}  // namespace refrain::schedule
