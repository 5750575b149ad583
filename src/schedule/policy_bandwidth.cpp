// The smallest I/O time so far per time since the start first, so that all get a similar share of the I/O
// node. Its inverse, (now - started) / io_done, is the line of an urgency; a job that had no I/O yet comes
// before all that had.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency bandwidth(const Request& request) { return {request.started, request.io_done}; }

}  // namespace refrain::schedule
