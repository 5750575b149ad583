// The coordinator grants what the simulation grants: random jobs are run by the engine and, as clients that
// compute, ask, transfer and end at the same points in time, by the coordinator; every I/O is requested,
// granted and ended at the same nanosecond, under all policies.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "base/test_rounds.hpp"
#include "coordinate/coordinator.hpp"
#include "schedule/random.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::coordinate {
namespace {

using schedule::Job;
using schedule::second;

/// I/O node, job, requested, granted, ended.
using Io = std::tuple<uint32_t, uint32_t, Time, Time, Time>;

struct Case {
  schedule::Workload workload{};
  std::vector<uint32_t> partition{};
};

Case random_jobs(uint64_t number) {
  schedule::Random random(13, number);
  auto io_nodes = static_cast<uint32_t>(1 + random.below(3));
  Case made;
  for (uint32_t i = 0; i < io_nodes; ++i) {
    made.workload.machine.io_nodes.push_back({100, static_cast<double>(1 + random.below(2))});
  }
  uint64_t longest = 1 + random.below(6);
  for (uint64_t id = 0, jobs = 1 + random.below(8); id < jobs; ++id) {
    Job job{.id = static_cast<int64_t>(id * 3),
            .release = static_cast<Time>(random.below(3) * random.below(5)) * second};
    for (uint64_t blocks = 1 + random.below(3); blocks > 0; --blocks) {
      std::vector<schedule::Phase> phases;
      for (uint64_t n = 1 + random.below(3); n > 0; --n) {
        phases.push_back(
            {static_cast<Time>(random.below(longest)) * second, static_cast<double>(random.below(longest))});
      }
      job.add_block(phases, 1 + random.below(4));
    }
    made.workload.jobs.push_back(std::move(job));
    made.partition.push_back(static_cast<uint32_t>(random.below(io_nodes)));
  }
  return made;
}

std::multiset<Io> simulated(const Case& made, const schedule::Policy& policy) {
  schedule::AtRelease mapper(made.partition);
  std::vector<schedule::IoInterval> log;
  run(made.workload, {.policy = &policy}, mapper, &log, SIZE_MAX);
  std::multiset<Io> ios;
  for (const schedule::IoInterval& io : log) {
    ios.insert({io.partition, io.job, io.requested, io.end - io.length, io.end});
  }
  return ios;
}

/// Clients that do what their jobs say, on a clock of their own.
class Clients {
 public:
  Clients(const Case& made, const schedule::Policy& policy)
      : made_(made), coordinator_(settings(made, policy), 0), clients_(made.workload.jobs.size()) {
    for (uint32_t i = 0; i < clients_.size(); ++i) at_.insert({made.workload.jobs[i].release, i});
  }

  std::multiset<Io> run() {
    while (!at_.empty()) {
      Time now = at_.begin()->first;
      while (!at_.empty() && at_.begin()->first == now) {
        uint32_t client = at_.begin()->second;
        at_.erase(at_.begin());
        go_on(client, now);
      }
      coordinator_.settle(now);
      EXPECT_EQ(coordinator_.broken_promise(), "");
      for (const Outgoing& sent : coordinator_.take_messages()) {
        const auto* granted = std::get_if<Granted>(&sent.message);
        if (granted != nullptr) begin_io(static_cast<uint32_t>(std::stoul(sent.address)), *granted, now);
      }
    }
    for (const Client& client : clients_) EXPECT_EQ(client.state, Client::State::gone);
    return std::move(ios_);
  }

 private:
  struct Client {
    enum class State { unborn, computing, waiting, writing, gone } state = State::unborn;
    std::vector<schedule::Step> steps{};
    size_t at = 0;
    uint64_t phase = 0;
    uint64_t lease = 0;
    Time requested = 0;
    Time granted = 0;
  };

  static Settings settings(const Case& made, const schedule::Policy& policy) {
    Settings settings{.policy = &policy, .lease = schedule::longest_time};
    for (const schedule::IoNode& io_node : made.workload.machine.io_nodes) {
      settings.io_nodes.push_back({io_node.bandwidth, 1});
    }
    return settings;
  }

  void send(uint32_t number, Time now, const ClientMessage& message) {
    coordinator_.receive(now, std::to_string(number), message);
  }

  void compute(uint32_t number, Time now) {
    Client& client = clients_[number];
    if (client.at == client.steps.size()) {
      client.state = Client::State::gone;
      send(number, now, Leave{});
      return;
    }
    client.state = Client::State::computing;
    at_.insert({now + client.steps[client.at].compute, number});
  }

  void go_on(uint32_t number, Time now) {
    Client& client = clients_[number];
    switch (client.state) {
      case Client::State::unborn:
        be_born(number, now);
        break;
      case Client::State::computing:
        if (client.steps[client.at].io == 0) {
          ++client.at;
          compute(number, now);
          break;
        }
        client.state = Client::State::waiting;
        client.requested = now;
        send(number, now, Ask{client.phase, 0});
        break;
      case Client::State::writing:
        ios_.insert({made_.partition[number], number, client.requested, client.granted, now});
        send(number, now, End{client.phase, client.lease, 0});
        ++client.phase;
        ++client.at;
        compute(number, now);
        break;
      default:
        ADD_FAILURE();
    }
  }

  void be_born(uint32_t number, Time now) {
    const Job& job = made_.workload.jobs[number];
    double bandwidth = made_.workload.machine.io_nodes[made_.partition[number]].bandwidth;
    for (const schedule::Block& block : job.blocks) {
      for (uint64_t i = 0; i < block.repeat; ++i) {
        for (uint32_t k = 0; k < block.count; ++k) {
          const schedule::Phase& phase = job.phases[block.first + k];
          clients_[number].steps.push_back({phase.compute, schedule::transfer_time(phase.volume, bandwidth)});
        }
      }
    }
    send(number, now,
         Register{.job = static_cast<uint32_t>(job.id),
                  .io_node = made_.partition[number],
                  .client = number + 1,
                  .profile = {job.phases, job.blocks}});
    compute(number, now);
  }

  void begin_io(uint32_t number, const Granted& granted, Time now) {
    Client& client = clients_[number];
    ASSERT_EQ(client.state, Client::State::waiting);
    ASSERT_EQ(client.phase, granted.phase);
    client.state = Client::State::writing;
    client.lease = granted.lease;
    client.granted = now;
    at_.insert({now + client.steps[client.at].io, number});
  }

  const Case& made_;
  Coordinator coordinator_;
  std::vector<Client> clients_;
  std::multiset<std::pair<Time, uint32_t>> at_;
  std::multiset<Io> ios_;
};

TEST(Simulated, GrantsAreThoseOfTheSimulation) {
  size_t ios = 0;
  for (uint64_t number = 0; number < test_rounds(400u); ++number) {
    Case made = random_jobs(number);
    for (const schedule::Policy& policy : schedule::policies()) {
      std::multiset<Io> expected = simulated(made, policy);
      ASSERT_EQ(Clients(made, policy).run(), expected) << policy.name << ", case " << number;
      ios += expected.size();
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(ios, test_rounds(40'000U));
}

}  // namespace
}  // namespace refrain::coordinate
