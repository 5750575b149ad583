// The coordinator of running jobs as a state machine: messages and points in time go in, messages and events
// come out. No clock, no socket. The daemon drives it with real ones, tests and fuzzers with others. Who is
// served is decided by the policies of src/schedule, as in a simulation. See the essay in coordinator.cpp.
#pragma once

#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coordinate/event.hpp"
#include "coordinate/job_state.hpp"

namespace refrain::coordinate {

struct IoNodeSetup {
  double bandwidth = 1;  ///< volume per second, in the unit of the profiles
  uint32_t at_once = 1;  ///< leases at the same time
};

struct Settings {
  const schedule::Policy* policy = nullptr;
  std::vector<IoNodeSetup> io_nodes{};
  Time lease = schedule::second;  ///< who is silent for so long is forgotten
  Time grace = 0;                 ///< nothing is granted for so long after the start: old leases come first
  uint64_t first_lease = 1;       ///< above those of earlier coordinators at the same address
  size_t max_clients = 65536;
  size_t max_phases = 4'000'000;  ///< of all profiles together, distinct ones of each
};

struct Outgoing {
  std::string address{};
  CoordinatorMessage message{};
};

struct Counters {
  uint64_t messages = 0;
  uint64_t registrations = 0;
  uint64_t asks = 0;
  uint64_t grants = 0;
  uint64_t honored = 0;
  uint64_t ended = 0;      ///< leases, by their clients
  uint64_t expired = 0;    ///< leases of clients that fell silent
  uint64_t forgotten = 0;  ///< clients that fell silent
  uint64_t unknown = 0;    ///< messages of clients that are not registered
  uint64_t refused = 0;    ///< registrations
};

class Coordinator {
 public:
  Coordinator(const Settings& settings, Time now);
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  /// Points in time must not decrease, here and below. `address` is where answers go.
  void receive(Time now, std::string_view address, const ClientMessage& message);
  /// To be called when all that has happened up to `now` was received, and by `next_deadline()` at the
  /// latest: forgets who fell silent, then grants what is free.
  void settle(Time now);
  Time next_deadline() const;

  std::vector<Outgoing> take_messages() { return std::exchange(messages_, {}); }
  std::vector<Event> take_events() { return std::exchange(events_, {}); }

  const Settings& settings() const { return settings_; }
  const Counters& counters() const { return counters_; }
  const std::map<JobKey, JobState>& jobs() const { return jobs_; }
  const std::vector<IoNodeState>& io_nodes() const { return io_nodes_; }
  size_t clients() const { return clients_.size(); }

  /// What is wrong with the state, for tests; empty if nothing is. O(n).
  std::string broken_promise() const;

 private:
  void on(ClientState& client, const Ask& message, Time now);
  void on(ClientState& client, const End& message, Time now);
  void on(ClientState& client, const KeepAlive& message, Time now);
  void on(ClientState& client, const Leave& message, Time now);

  void enroll(Time now, std::string_view address, const Register& message);
  ClientState& admit(Time now, std::string_view address, const Register& message);
  JobState& job_of(Time now, const Register& message);
  void learn_profile(JobState& job, const Register& message);
  const char* why_not(std::string_view address, const Register& message, Reason& reason) const;

  void take_standing(ClientState& client, const Standing& believed, Time now);
  void ask(ClientState& client, uint64_t phase, uint64_t bytes, Time now);
  void stop(ClientState& client, EventKind ended, Time now);
  void honor(ClientState& client, const Standing& believed, Time now);
  void join(ClientState& client);
  void count(ClientState& client, uint64_t bytes);
  void enqueue(JobState& job, uint64_t bytes, Time now);
  void hold(JobState& job, uint64_t lease, EventKind kind, Time now);
  void release(JobState& job, EventKind kind, Time now);
  void advance(JobState& job, uint64_t phase);
  void hear(ClientState& client, Time now);
  void forget(ClientState& client, EventKind ended, Time now);
  void grant_free(IoNodeState& io_node, Time now);
  schedule::Request request_of(JobState& job, uint64_t bytes, Time now);
  uint64_t new_lease();
  void send(const ClientState& client, CoordinatorMessage message);
  void tell(const JobState& job, EventKind kind, Time now);
  void touch(IoNodeState& io_node);

  Settings settings_;
  Time granting_from_;
  uint64_t next_lease_;
  std::vector<IoNodeState> io_nodes_;
  std::map<JobKey, JobState> jobs_;
  std::unordered_map<std::string, ClientState> clients_;  ///< by address
  std::list<ClientState*> heard_;                         ///< the longest silent first
  std::unordered_map<uint64_t, JobState*> leases_;
  std::vector<IoNodeState*> touched_;  ///< may have something to grant
  size_t phases_ = 0;                  ///< of all profiles
  std::vector<Outgoing> messages_;
  std::vector<Event> events_;
  Counters counters_;
};

}  // namespace refrain::coordinate
