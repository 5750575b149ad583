// The largest time since the start per work done first: who was slowed down most goes next. A job that has
// done no work at all comes before all that have.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency stretch(const Request& request) { return {request.started, request.work_done}; }

}  // namespace refrain::schedule
