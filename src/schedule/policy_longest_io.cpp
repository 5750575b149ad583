// The longest pending I/O first: keeps the I/O node occupied, and starves those with short ones.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency longest_io(const Request& request) { return {.since = -request.io}; }

}  // namespace refrain::schedule
