// The application with the lowest id first: all are equally urgent, and ties go to the lowest id.
#include "schedule/policy.hpp"

namespace refrain::schedule {

Urgency lowest_id(const Request&) { return {}; }

}  // namespace refrain::schedule
