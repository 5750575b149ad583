// What a coordinator knows of a job, of its clients and of an I/O node. Plain data: coordinator.cpp changes
// it, snapshots show it.
#pragma once

#include <compare>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinate/protocol.hpp"
#include "coordinate/wait_line.hpp"
#include "schedule/job_progress.hpp"

namespace refrain::coordinate {

using schedule::Time;

/// Clients that say the same are nodes of one job.
struct JobKey {
  uint32_t job = 0;
  uint64_t step = 0;
  uint32_t io_node = 0;
  auto operator<=>(const JobKey&) const = default;
};

/// A node of a job.
struct ClientState {
  std::string address{};
  uint64_t number = 0;  ///< the client's own
  JobState* job = nullptr;
  Standing standing{};
  uint64_t bytes = 0;       ///< that it said to have transferred since it joined the lease
  uint64_t last_lease = 0;  ///< that it has ended its part of
  Time heard = 0;
  std::list<ClientState*>::iterator place{};  ///< in the order in which clients were heard
};

struct JobState {
  JobKey key{};
  std::string name{};
  uint32_t nodes = 1;
  schedule::Job profile{};
  std::optional<schedule::Progress> progress{};  ///< of the profile, if there is one
  std::map<uint64_t, ClientState*> clients{};    ///< by number
  uint32_t waiting = 0;                          ///< clients
  uint32_t holding = 0;                          ///< clients
  Time started = 0;

  State state = State::idle;
  uint64_t phase = 0;   ///< I/Os that any of its clients is through with
  uint32_t ticket = 0;  ///< while it waits
  Time requested = 0;   ///< when it last began to wait
  uint64_t lease = 0;   ///< while it holds one
  Time granted = 0;     ///< likewise
  uint64_t bytes = 0;   ///< transferred in this lease, as far as clients said it
  uint64_t leases = 0;  ///< that it has had
  Time io_done = 0;     ///< for how long
  Time waited = 0;      ///< for how long it has waited for them
  uint64_t moved = 0;   ///< bytes in all of them
};

struct IoNodeState {
  double bandwidth = 1;
  uint32_t at_once = 1;
  WaitLine line;
  bool touched = false;  ///< may have something to grant
  std::vector<JobState*> holders{};
  uint64_t grants = 0;
  uint64_t moved = 0;  ///< bytes
  Time busy = 0;       ///< sum of all leases that have ended
};

}  // namespace refrain::coordinate
