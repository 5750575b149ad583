// The shortest pending I/O first: nobody waits long for a short one.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency shortest_io(const Request& request) { return {.since = request.io}; }

}  // namespace refrain::schedule
