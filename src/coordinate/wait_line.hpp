// The jobs that wait for one I/O node, in the order of a policy: the queue of the simulation, out of which a
// request can also be withdrawn. Withdrawn ones stay in it until they are met, or until there are more of
// them than of others; then the queue is made anew. Push, pop and withdraw are O(log n), on average over
// many.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "schedule/stations.hpp"

namespace refrain::coordinate {

struct JobState;

class WaitLine {
 public:
  explicit WaitLine(const schedule::Policy& policy);

  size_t size() const { return live_; }
  bool empty() const { return live_ == 0; }
  /// What is to be withdrawn by this ticket. Among equals the lowest id goes first.
  uint32_t push(schedule::Time now, uint32_t id, JobState* job, schedule::Request request);
  void withdraw(schedule::Time now, uint32_t ticket);
  /// Takes out the job that is to be served now. There must be one. Its ticket is void.
  JobState* pop(schedule::Time now);

  /// How many requests take memory, withdrawn ones included.
  size_t kept() const { return tickets_.size() - free_.size(); }

 private:
  using Steady = schedule::PolicyQueue<schedule::SteadyQueue>;
  using Aging = schedule::PolicyQueue<schedule::Tournament>;
  struct Ticket {
    JobState* job = nullptr;  ///< none: withdrawn
    schedule::Request request{};
  };

  static std::variant<Steady, Aging> new_queue(const schedule::Policy& policy);
  uint32_t take_out(schedule::Time now);
  void make_anew(schedule::Time now);

  const schedule::Policy* policy_;
  std::variant<Steady, Aging> queue_;
  std::vector<Ticket> tickets_;
  std::vector<uint32_t> free_;
  size_t live_ = 0;
};

}  // namespace refrain::coordinate
