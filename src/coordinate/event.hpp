// What happens at a coordinator, for those who watch and for the journal: one line of JSON each.
//   {"at_ns": 1700000000123456789, "event": "grant", "job": 7, "step": 0, "io_node": 1, "phase": 3, "lease":
//   12}
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "coordinate/job_state.hpp"

namespace refrain::coordinate {

enum class EventKind : uint8_t {
  job,       ///< appears
  ask,       ///< it begins to wait
  grant,     ///< it gets a lease
  honor,     ///< it has kept a lease over a restart
  end,       ///< of a lease
  expire,    ///< the lease of a job that fell silent
  withdraw,  ///< it no longer waits
  leave,     ///< the job is gone
};

struct Event {
  Time at = 0;
  EventKind kind = EventKind::job;
  JobKey job{};
  uint64_t lease = 0;
  uint64_t phase = 0;
  uint64_t bytes = 0;  ///< of the lease that ended
  Time age = 0;        ///< of a job that appears: it started so long ago
  uint32_t nodes = 0;  ///< likewise
  std::string name{};  ///< likewise
  bool operator==(const Event&) const = default;
};

std::string_view event_name(EventKind kind);
/// Without a line break.
std::string event_json(const Event& event);
Result<Event> parse_event(std::string_view line);

/// A string as JSON has it; control characters are escaped, what is no UTF-8 is replaced.
std::string json_string(std::string_view text);

}  // namespace refrain::coordinate
