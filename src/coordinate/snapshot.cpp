// See snapshot.hpp.
#include "coordinate/snapshot.hpp"

#include <fmt/format.h>

#include <iterator>

namespace refrain::coordinate {

namespace {

constexpr size_t most_jobs_listed = 2000;

const char* state_name(State state) {
  switch (state) {
    case State::idle:
      return "idle";
    case State::waiting:
      return "waiting";
    case State::holding:
      return "holding";
  }
  return "";
}

/// Including the lease that lasts.
Time busy_until(const IoNodeState& io_node, Time now) {
  Time busy = io_node.busy;
  for (const JobState* job : io_node.holders) busy += now - job->granted;
  return busy;
}

uint64_t moved_until_now(const IoNodeState& io_node) {
  uint64_t moved = io_node.moved;
  for (const JobState* job : io_node.holders) moved += job->bytes;
  return moved;
}

std::string job_json(const JobState& job, Time now) {
  Time waits = job.state == State::waiting ? now - job.requested : 0;
  Time holds = job.state == State::holding ? now - job.granted : 0;
  std::string text = fmt::format(
      R"({{"job": {}, "step": {}, "io_node": {}, "name": {}, "nodes": {}, "clients": {}, "state": "{}", "phase": {})",
      job.key.job, job.key.step, job.key.io_node, json_string(job.name), job.nodes, job.clients.size(),
      state_name(job.state), job.phase);
  if (job.state == State::holding) text += fmt::format(R"(, "lease": {})", job.lease);
  return text +
         fmt::format(
             R"(, "age": {:.3f}, "leases": {}, "io": {:.3f}, "waited": {:.3f}, "bytes": {}, "waits": {:.3f}, "holds": {:.3f}}})",
             schedule::in_seconds(now - job.started), job.leases, schedule::in_seconds(job.io_done + holds),
             schedule::in_seconds(job.waited + waits), job.moved + (holds > 0 ? job.bytes : 0),
             schedule::in_seconds(waits), schedule::in_seconds(holds));
}

std::string io_node_json(const IoNodeState& io_node, size_t number, Time now) {
  std::string holders;
  for (const JobState* job : io_node.holders) {
    holders += (holders.empty() ? "" : ", ") + std::to_string(job->key.job);
  }
  return fmt::format(
      R"({{"io_node": {}, "at_once": {}, "bandwidth": {}, "holders": [{}], "waiting": {}, "grants": {}, "busy": {:.3f}, "bytes": {}}})",
      number, io_node.at_once, io_node.bandwidth, holders, io_node.line.size(), io_node.grants,
      schedule::in_seconds(busy_until(io_node, now)), moved_until_now(io_node));
}

struct Counted {
  const char* name;
  uint64_t value;
  const char* help;
};

std::vector<Counted> counted(const Coordinator& coordinator, const DaemonCounters& daemon) {
  const Counters& c = coordinator.counters();
  return {{"messages", c.messages, "messages received"},
          {"registrations", c.registrations, "clients that registered"},
          {"asks", c.asks, "requests for a lease"},
          {"grants", c.grants, "leases granted"},
          {"honored", c.honored, "leases kept over a restart"},
          {"ended", c.ended, "leases that clients ended"},
          {"expired", c.expired, "leases of clients that fell silent"},
          {"forgotten", c.forgotten, "clients that fell silent"},
          {"unknown", c.unknown, "messages of clients that were not registered"},
          {"refused", c.refused, "registrations refused"},
          {"malformed", daemon.malformed, "messages dropped because they were malformed"},
          {"turned_away", daemon.turned_away, "connections without a known key"},
          {"unsent", daemon.unsent, "answers that a client had no room for"},
          {"journal_lost", daemon.journal_lost, "bytes of the journal that could not be written"}};
}

}  // namespace

std::string snapshot_json(const Coordinator& coordinator, const DaemonCounters& daemon, Time now) {
  const Settings& settings = coordinator.settings();
  std::string text = fmt::format(
      R"({{"at_ns": {}, "policy": "{}", "lease": {:.3f}, "clients": {}, "job_count": {}, "counters": {{)",
      now, settings.policy->name, schedule::in_seconds(settings.lease), coordinator.clients(),
      coordinator.jobs().size());
  const char* between = "";
  for (const Counted& counter : counted(coordinator, daemon)) {
    text += fmt::format(R"({}"{}": {})", std::exchange(between, ", "), counter.name, counter.value);
  }
  text += R"(}, "io_nodes": [)";
  between = "";
  for (size_t i = 0; i < coordinator.io_nodes().size(); ++i) {
    text += std::exchange(between, ", ") + io_node_json(coordinator.io_nodes()[i], i, now);
  }
  text += R"(], "jobs": [)";
  between = "";
  size_t listed = 0;
  for (const auto& [key, job] : coordinator.jobs()) {
    if (++listed > most_jobs_listed) break;
    text += std::exchange(between, ", ") + job_json(job, now);
  }
  return text + "]}";
}

std::string metrics_text(const Coordinator& coordinator, const DaemonCounters& daemon, Time now) {
  std::string text;
  auto head = [&text](const char* name, const char* type, const char* help) {
    text += fmt::format("# HELP refrain_coordinator_{0} {2}\n# TYPE refrain_coordinator_{0} {1}\n", name,
                        type, help);
  };
  for (const Counted& counter : counted(coordinator, daemon)) {
    std::string name = std::string(counter.name) + "_total";
    head(name.c_str(), "counter", counter.help);
    text += fmt::format("refrain_coordinator_{} {}\n", name, counter.value);
  }
  head("clients", "gauge", "registered clients");
  text += fmt::format("refrain_coordinator_clients {}\n", coordinator.clients());
  head("jobs", "gauge", "jobs with registered clients");
  text += fmt::format("refrain_coordinator_jobs {}\n", coordinator.jobs().size());
  auto per_io_node = [&](const char* name, const char* type, const char* help, auto value) {
    head(name, type, help);
    for (size_t i = 0; i < coordinator.io_nodes().size(); ++i) {
      text += fmt::format("refrain_coordinator_{}{{io_node=\"{}\"}} {}\n", name, i,
                          value(coordinator.io_nodes()[i]));
    }
  };
  per_io_node("leases", "gauge", "leases held", [](const IoNodeState& n) { return n.holders.size(); });
  per_io_node("waiting", "gauge", "jobs that wait", [](const IoNodeState& n) { return n.line.size(); });
  per_io_node("bytes_total", "counter", "bytes moved under leases", moved_until_now);
  per_io_node("busy_seconds_total", "counter", "time of all leases",
              [now](const IoNodeState& n) { return schedule::in_seconds(busy_until(n, now)); });
  return text;
}

std::string start_json(const Settings& settings, Time now) {
  std::string nodes;
  for (const IoNodeSetup& io_node : settings.io_nodes) {
    nodes += fmt::format(R"({}{{"bandwidth": {}, "at_once": {}}})", nodes.empty() ? "" : ", ",
                         io_node.bandwidth, io_node.at_once);
  }
  return fmt::format(R"({{"at_ns": {}, "event": "start", "policy": "{}", "io_nodes": [{}]}})", now,
                     settings.policy->name, nodes);
}

}  // namespace refrain::coordinate
