// Looks through the whole state of a coordinator for what must never be. For tests and fuzzers.
#include <fmt/format.h>

#include "coordinate/coordinator.hpp"

namespace refrain::coordinate {

namespace {

/// The counts of a job against its clients.
std::string broken_in(const JobState& job) {
  uint32_t waiting = 0;
  uint32_t holding = 0;
  for (const auto& [number, client] : job.clients) {
    if (client->job != &job || client->number != number) return "a client belongs to another job";
    waiting += client->standing.state == State::waiting;
    holding += client->standing.state == State::holding;
    if (client->standing.state == State::holding && client->standing.lease != job.lease) {
      return "a client has another lease than its job";
    }
    if (client->standing.state != State::holding && client->standing.lease != 0) {
      return "a client has a lease that it doesn't hold";
    }
  }
  if (job.clients.empty()) return "a job has no clients";
  if (waiting != job.waiting || holding != job.holding) return "clients of a job are miscounted";
  if ((job.state == State::holding) != (holding > 0))
    return "nobody holds the lease of a job, or one without";
  if (job.state == State::idle && waiting > 0) return "a request was forgotten";
  if (job.state == State::waiting && waiting == 0) return "a job waits for nobody";
  return {};
}

}  // namespace

std::string Coordinator::broken_promise() const {
  std::vector<size_t> holders(io_nodes_.size());
  std::vector<size_t> waiters(io_nodes_.size());
  size_t clients = 0;
  size_t phases = 0;
  for (const auto& [key, job] : jobs_) {
    std::string broken = broken_in(job);
    if (!broken.empty()) return fmt::format("job {}: {}", key.job, broken);
    clients += job.clients.size();
    phases += job.profile.phases.size();
    holders[key.io_node] += job.state == State::holding;
    waiters[key.io_node] += job.state == State::waiting;
    if (job.state != State::holding) continue;
    auto lease = leases_.find(job.lease);
    if (lease == leases_.end() || lease->second != &job) return "a lease belongs to another job";
  }
  if (clients != clients_.size() || clients != heard_.size()) return "clients are miscounted";
  if (phases != phases_) return "phases are miscounted";
  size_t all_holders = 0;
  for (size_t i = 0; i < io_nodes_.size(); ++i) {
    const IoNodeState& io_node = io_nodes_[i];
    all_holders += holders[i];
    if (holders[i] != io_node.holders.size()) return "leases of an I/O node are miscounted";
    if (holders[i] > io_node.at_once) return "too many leases on an I/O node";
    if (waiters[i] != io_node.line.size())
      return "the line of an I/O node has other jobs than those that wait";
    if (!io_node.touched && waiters[i] > 0 && holders[i] < io_node.at_once) {
      return "a request waits though the I/O node is free";
    }
  }
  if (all_holders != leases_.size()) return "leases are miscounted";
  return {};
}

}  // namespace refrain::coordinate
