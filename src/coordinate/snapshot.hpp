// The state of a coordinator at one point in time, as JSON for those who watch and as counters for
// Prometheus.
#pragma once

#include <string>

#include "coordinate/coordinator.hpp"

namespace refrain::coordinate {

/// What the daemon counts beside the coordinator.
struct DaemonCounters {
  uint64_t malformed = 0;     ///< messages that were dropped
  uint64_t turned_away = 0;   ///< connections without a known key
  uint64_t unsent = 0;        ///< answers that a slow client had no room for
  uint64_t journal_lost = 0;  ///< bytes of the journal that could not be written
};

/// One line. Of very many jobs only the first are listed; the counts are of all.
std::string snapshot_json(const Coordinator& coordinator, const DaemonCounters& daemon, Time now);

/// In Prometheus's text format, version 0.0.4.
std::string metrics_text(const Coordinator& coordinator, const DaemonCounters& daemon, Time now);

/// The first line of a journal: the machine and the policy.
std::string start_json(const Settings& settings, Time now);

}  // namespace refrain::coordinate
