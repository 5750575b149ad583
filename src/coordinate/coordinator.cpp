// A job is idle, waits or holds a lease, and so is each of its clients, one per node:
//
//   idle --ask--> waiting --grant--> holding --the last of its clients ends--> idle
//
// A job waits as soon as one of its clients does. When it is granted the lease, all of them that wait hold
// it; those that ask later join at once. A client that has ended its part and asks again joins only if no
// other job waits for the I/O node: otherwise a job whose nodes take turns would never give it back. Such a
// client waits for the job's next lease.
//
// Nothing is granted while messages come in, only by `settle`, when all of an instant is known: so the order
// of messages that arrive together does not matter, and the same history gives the same grants as in a
// simulation.
//
// What a client believes (`Standing`) travels with every registration and keep-alive and is brought together
// with what is known here, so that any message may be lost. The coordinator's own memory is not needed for
// it: a client tells a new one its lease, its phase and its age. For `grace` after the start nothing is
// granted, so that those who hold a lease come before those who want one.
//
// Example, one I/O node: A asks and is granted lease 1; B asks and waits. The coordinator is killed and
// started again. B says `KeepAlive{waiting}`, gets `Unknown` and registers as waiting: it is in the queue. A
// says `KeepAlive{holding, lease 1}`, gets `Unknown`, registers, and lease 1 is its again. The grace ends,
// nothing is free. A ends its phase: B is granted a lease.
#include "coordinate/coordinator.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace refrain::coordinate {

namespace {

constexpr Time keep_alives_per_lease = 4;

/// How long such a transfer takes, at most as long as anything may.
Time bounded_transfer_time(double bytes, double bandwidth) {
  double seconds = std::min(bytes / bandwidth, schedule::in_seconds(schedule::longest_time) / 2);
  return schedule::from_seconds(seconds);
}

/// Beyond what sums of times can hold.
bool too_long(const Profile& profile, double bandwidth) {
  std::vector<double> seconds;
  double longest = 0;
  for (const schedule::Phase& phase : profile.phases) {
    seconds.push_back(schedule::in_seconds(phase.compute) + phase.volume / bandwidth);
    longest = std::max(longest, seconds.back());
  }
  double total = 0;
  for (const schedule::Block& block : profile.blocks) {
    for (uint32_t i = 0; i < block.count; ++i) {
      total += seconds[block.first + i] * static_cast<double>(block.repeat);
    }
  }
  return std::max(total, longest) > schedule::in_seconds(schedule::longest_time) / 2;
}

}  // namespace

Coordinator::Coordinator(const Settings& settings, Time now)
    : settings_(settings), granting_from_(now + settings.grace), next_lease_(settings.first_lease) {
  REFRAIN_CHECK(settings.policy != nullptr && settings.lease > 0);
  for (const IoNodeSetup& setup : settings.io_nodes) {
    io_nodes_.push_back(
        {.bandwidth = setup.bandwidth, .at_once = setup.at_once, .line = WaitLine(*settings.policy)});
  }
}

void Coordinator::receive(Time now, std::string_view address, const ClientMessage& message) {
  ++counters_.messages;
  if (const Register* registration = std::get_if<Register>(&message)) {
    enroll(now, address, *registration);
    return;
  }
  auto found = clients_.find(std::string(address));
  if (found != clients_.end()) {
    hear(found->second, now);
    auto take = [&]<class Fields>(const Fields& fields) {
      if constexpr (!std::is_same_v<Fields, Register>) on(found->second, fields, now);
    };
    std::visit(take, message);
  } else if (!std::holds_alternative<Leave>(message)) {
    ++counters_.unknown;
    messages_.push_back({std::string(address), Unknown{}});
  }
}

void Coordinator::settle(Time now) {
  while (!heard_.empty() && heard_.front()->heard + settings_.lease <= now) {
    ++counters_.forgotten;
    forget(*heard_.front(), EventKind::expire, now);
  }
  if (now < granting_from_) return;
  for (IoNodeState* io_node : touched_) {
    io_node->touched = false;
    grant_free(*io_node, now);
  }
  touched_.clear();
}

Time Coordinator::next_deadline() const {
  Time next = heard_.empty() ? schedule::never : heard_.front()->heard + settings_.lease;
  return touched_.empty() ? next : std::min(next, granting_from_);
}

// Messages

void Coordinator::on(ClientState& client, const Ask& message, Time now) {
  ++counters_.asks;
  ask(client, message.phase, message.bytes, now);
}

void Coordinator::on(ClientState& client, const End& message, Time now) {
  count(client, message.bytes);
  advance(*client.job, message.phase + 1);
  stop(client, EventKind::end, now);
  client.standing.phase = message.phase + 1;
}

void Coordinator::on(ClientState& client, const KeepAlive& message, Time now) {
  take_standing(client, message.standing, now);
  count(client, message.bytes);
  send(client, Alive{client.standing});
}

void Coordinator::on(ClientState& client, const Leave&, Time now) { forget(client, EventKind::end, now); }

/// Brings together what a client believes and what is known here.
void Coordinator::take_standing(ClientState& client, const Standing& believed, Time now) {
  switch (believed.state) {
    case State::idle:
      advance(*client.job, believed.phase);
      stop(client, EventKind::end, now);
      client.standing.phase = believed.phase;
      break;
    case State::waiting:
      ask(client, believed.phase, 0, now);
      break;
    case State::holding:
      honor(client, believed, now);
      break;
  }
}

void Coordinator::ask(ClientState& client, uint64_t phase, uint64_t bytes, Time now) {
  JobState& job = *client.job;
  if (client.standing.state == State::holding) {
    if (client.standing.phase == phase) {
      send(client, Granted{phase, job.lease, static_cast<uint64_t>(settings_.lease)});
      return;
    }
    stop(client, EventKind::end, now);
  }
  advance(job, phase);
  client.standing.phase = phase;
  if (client.standing.state == State::waiting) return;
  client.standing.state = State::waiting;
  ++job.waiting;
  if (job.state == State::idle) enqueue(job, bytes, now);
  if (job.state != State::holding) return;
  if (client.last_lease != job.lease || io_nodes_[job.key.io_node].line.empty()) join(client);
}

/// The client neither waits nor holds a lease any more; `ended` says how a lease ends by it.
void Coordinator::stop(ClientState& client, EventKind ended, Time now) {
  JobState& job = *client.job;
  State before = std::exchange(client.standing.state, State::idle);
  client.standing.lease = 0;
  if (before == State::holding) {
    client.last_lease = job.lease;
    if (--job.holding == 0) release(job, ended, now);
  } else if (before == State::waiting && --job.waiting == 0 && job.state == State::waiting) {
    io_nodes_[job.key.io_node].line.withdraw(now, job.ticket);
    job.state = State::idle;
    job.waited += now - job.requested;
    tell(job, EventKind::withdraw, now);
  }
}

/// The client believes that it holds a lease. If nobody else does, it does.
void Coordinator::honor(ClientState& client, const Standing& believed, Time now) {
  JobState& job = *client.job;
  if (client.standing.state == State::holding) {
    client.standing.phase = believed.phase;
    return;
  }
  stop(client, EventKind::end, now);  // it doesn't wait any more, if it did
  advance(job, believed.phase);
  client.standing.phase = believed.phase;
  IoNodeState& io_node = io_nodes_[job.key.io_node];
  if (job.state != State::holding) {
    if (io_node.holders.size() >= io_node.at_once) return;
    bool is_free = believed.lease != 0 && !leases_.contains(believed.lease);
    if (job.state == State::waiting) {  // because of other nodes, which hold it now as well
      io_node.line.withdraw(now, job.ticket);
    } else {
      job.requested = now;
    }
    ++counters_.honored;
    hold(job, is_free ? believed.lease : new_lease(), EventKind::honor, now);
  }
  client.standing.state = State::waiting;
  ++job.waiting;
  join(client);
}

// Leases

void Coordinator::enqueue(JobState& job, uint64_t bytes, Time now) {
  job.state = State::waiting;
  job.requested = now;
  IoNodeState& io_node = io_nodes_[job.key.io_node];
  job.ticket = io_node.line.push(now, job.key.job, &job, request_of(job, bytes, now));
  touch(io_node);
  tell(job, EventKind::ask, now);
}

/// What a policy sees. Without a profile, or behind its end, it is what was measured.
schedule::Request Coordinator::request_of(JobState& job, uint64_t bytes, Time now) {
  Time io = bounded_transfer_time(static_cast<double>(bytes) * static_cast<double>(job.clients.size()),
                                  io_nodes_[job.key.io_node].bandwidth);
  if (job.progress) {
    job.progress->seek_io();
    schedule::Request request = job.progress->request(0, now);
    if (!job.progress->is_over()) return request;
    request.io = io;
    request.remaining = io;
    return request;
  }
  if (io == 0 && job.leases > 0) io = job.io_done / static_cast<Time>(job.leases);
  return {0, now, io, io, job.started, job.io_done, now - job.started - job.waited};
}

void Coordinator::grant_free(IoNodeState& io_node, Time now) {
  while (io_node.holders.size() < io_node.at_once && !io_node.line.empty()) {
    ++counters_.grants;
    hold(*io_node.line.pop(now), new_lease(), EventKind::grant, now);
  }
}

/// The job has a lease from now on, and so have those of its clients that wait.
void Coordinator::hold(JobState& job, uint64_t lease, EventKind kind, Time now) {
  IoNodeState& io_node = io_nodes_[job.key.io_node];
  io_node.holders.push_back(&job);
  ++io_node.grants;
  leases_[lease] = &job;
  job.state = State::holding;
  job.lease = lease;
  job.granted = now;
  job.bytes = 0;
  job.waited += now - job.requested;
  ++job.leases;
  tell(job, kind, now);
  for (auto& [number, client] : job.clients) {
    if (client->standing.state == State::waiting) join(*client);
  }
}

void Coordinator::join(ClientState& client) {
  JobState& job = *client.job;
  --job.waiting;
  ++job.holding;
  client.bytes = 0;
  client.standing.state = State::holding;
  client.standing.lease = job.lease;
  send(client, Granted{client.standing.phase, job.lease, static_cast<uint64_t>(settings_.lease)});
}

/// A client says how much it has transferred since it joined the lease.
void Coordinator::count(ClientState& client, uint64_t bytes) {
  if (client.standing.state != State::holding || bytes <= client.bytes) return;
  client.job->bytes += bytes - client.bytes;
  client.bytes = bytes;
}

void Coordinator::release(JobState& job, EventKind kind, Time now) {
  IoNodeState& io_node = io_nodes_[job.key.io_node];
  std::erase(io_node.holders, &job);
  leases_.erase(job.lease);
  ++(kind == EventKind::expire ? counters_.expired : counters_.ended);
  Time held = now - job.granted;
  io_node.busy += held;
  io_node.moved += job.bytes;
  job.io_done += held;
  job.moved += job.bytes;
  tell(job, kind, now);
  job.state = State::idle;
  job.lease = 0;
  touch(io_node);
  if (job.waiting > 0) enqueue(job, 0, now);
}

/// `phase` I/Os are done.
void Coordinator::advance(JobState& job, uint64_t phase) {
  if (phase <= job.phase) return;
  if (job.progress) job.progress->skip_io(phase - job.phase);
  job.phase = phase;
}

uint64_t Coordinator::new_lease() {
  while (next_lease_ == 0 || leases_.contains(next_lease_)) ++next_lease_;
  return next_lease_++;
}

void Coordinator::touch(IoNodeState& io_node) {
  if (!std::exchange(io_node.touched, true)) touched_.push_back(&io_node);
}

// Clients come and go

/// Why a registration is refused, or nothing.
const char* Coordinator::why_not(std::string_view address, const Register& message, Reason& reason) const {
  if (message.io_node >= io_nodes_.size()) {
    reason = Reason::no_such_io_node;
    return "there is no such I/O node";
  }
  auto job = jobs_.find({message.job, message.step, message.io_node});
  bool is_known = job != jobs_.end() && job->second.clients.contains(message.client);
  if (clients_.size() >= settings_.max_clients && !is_known && !clients_.contains(std::string(address))) {
    reason = Reason::too_many_clients;
    return "there are too many clients";
  }
  reason = Reason::too_large_profile;
  bool has_profile = job != jobs_.end() && job->second.progress;
  if (!has_profile && phases_ + message.profile.phases.size() > settings_.max_phases) {
    return "there are too many phases in all profiles";
  }
  return too_long(message.profile, io_nodes_[message.io_node].bandwidth) ? "the profile takes too many years"
                                                                         : nullptr;
}

void Coordinator::enroll(Time now, std::string_view address, const Register& message) {
  Refused refused;
  if (const char* why = why_not(address, message, refused.reason)) {
    ++counters_.refused;
    refused.text = why;
    messages_.push_back({std::string(address), refused});
    return;
  }
  ++counters_.registrations;
  ClientState& client = admit(now, address, message);
  learn_profile(*client.job, message);
  hear(client, now);
  Standing believed = message.standing;
  if (believed.state != State::holding) client.standing.phase = believed.phase;
  take_standing(client, believed, now);
  send(client, Welcome{static_cast<uint64_t>(settings_.lease / keep_alives_per_lease),
                       static_cast<uint64_t>(settings_.lease), client.standing});
}

/// The client with its number, which may be known from another address, at this address, which may have
/// belonged to another client.
ClientState& Coordinator::admit(Time now, std::string_view address, const Register& message) {
  auto here = clients_.find(std::string(address));
  JobKey key{message.job, message.step, message.io_node};
  if (here != clients_.end()) {
    if (here->second.number == message.client && here->second.job->key == key) return here->second;
    forget(here->second, EventKind::end, now);
  }
  JobState& job = job_of(now, message);
  auto known = job.clients.find(message.client);
  if (known != job.clients.end()) {
    auto moved = clients_.extract(known->second->address);
    moved.key() = std::string(address);
    moved.mapped().address = address;
    return clients_.insert(std::move(moved)).position->second;
  }
  ClientState& client = clients_[std::string(address)];
  client.address = address;
  client.number = message.client;
  client.job = &job;
  client.heard = now;
  client.place = heard_.insert(heard_.end(), &client);
  job.clients[message.client] = &client;
  return client;
}

JobState& Coordinator::job_of(Time now, const Register& message) {
  JobKey key{message.job, message.step, message.io_node};
  auto [found, is_new] = jobs_.try_emplace(key);
  JobState& job = found->second;
  if (is_new) {
    job.key = key;
    job.name = message.name;
    job.nodes = message.nodes;
    job.started = std::max<Time>(0, now - static_cast<Time>(message.age_ns));
    job.io_done = std::min<Time>(static_cast<Time>(message.io_done_ns), now - job.started);
    tell(job, EventKind::job, now);
  }
  return job;
}

void Coordinator::learn_profile(JobState& job, const Register& message) {
  if (job.progress || message.profile.blocks.empty()) return;
  job.profile.phases = message.profile.phases;
  job.profile.blocks = message.profile.blocks;
  phases_ += job.profile.phases.size();
  double bandwidth = io_nodes_[job.key.io_node].bandwidth;
  job.progress.emplace(job.profile, job.profile.alone(bandwidth), bandwidth, job.started);
  job.progress->skip_io(job.phase);
}

void Coordinator::hear(ClientState& client, Time now) {
  client.heard = now;
  heard_.splice(heard_.end(), heard_, client.place);
}

void Coordinator::forget(ClientState& client, EventKind ended, Time now) {
  stop(client, ended, now);
  JobState& job = *client.job;
  heard_.erase(client.place);
  job.clients.erase(client.number);
  clients_.erase(std::string(client.address));
  if (!job.clients.empty()) return;
  tell(job, EventKind::leave, now);
  phases_ -= job.profile.phases.size();
  jobs_.erase(JobKey(job.key));
}

void Coordinator::send(const ClientState& client, CoordinatorMessage message) {
  messages_.push_back({client.address, std::move(message)});
}

void Coordinator::tell(const JobState& job, EventKind kind, Time now) {
  Event& event = events_.emplace_back();
  event.at = now;
  event.kind = kind;
  event.job = job.key;
  event.lease = job.lease;
  event.phase = job.phase;
  if (kind == EventKind::end || kind == EventKind::expire) event.bytes = job.bytes;
  if (kind != EventKind::job) return;
  event.age = now - job.started;
  event.nodes = job.nodes;
  event.name = job.name;
}

}  // namespace refrain::coordinate
