// First come, first served.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency fifo(const Request& request) { return {.since = request.requested}; }

}  // namespace refrain::schedule
