// Transfers: from an operation to the work of the stages, through a node's cache if there is one, and past
// the coordinator if there is one.
#include <algorithm>
#include <cmath>

#include "simulate/world.hpp"

namespace refrain::simulate {

namespace {

double as_double(int64_t v) { return static_cast<double>(std::max<int64_t>(0, v)); }

}  // namespace

void World::transfer(size_t m, double delay_s) {
  const Operation& operation = members_[m].operation;
  const Running& running = running_[members_[m].application];
  members_[m].call_s = now() + delay_s;
  if (operation.together && running.setup->program->ranks > 1) return pause(m, delay_s, Step::arrive);
  if (coordination_) return pause(m, delay_s, Step::pass);
  ++running_[members_[m].application].transfers;
  move(m, delay_s);
}

/// Where the requests of all ranks go. Calls that don't say where go on behind each other.
Spread World::offsets_of(const Operation& operation, SimulatedFile& file) const {
  if (operation.placed) return operation.offsets;
  int64_t& cursor = operation.writes ? file.written_cursor : file.read_cursor;
  if (file.own) {
    Spread offsets = Spread::constant(cursor, operation.sizes.size());
    cursor = trace::wrap_add(cursor, operation.sizes.highest());
    return offsets;
  }
  Spread offsets;
  for (const Spread::Run& run : operation.sizes.runs()) {
    if (run.step == 0) {
      offsets.push(Spread::Run{run.count, cursor, run.first});
      cursor = trace::wrap_add(cursor, trace::wrap_mul(run.first, static_cast<int64_t>(run.count)));
      continue;
    }
    for (uint64_t i = 0; i < run.count; ++i) {
      offsets.push(cursor);
      cursor = trace::wrap_add(cursor, run.at(i));
    }
  }
  return offsets;
}

void World::count_targets(const Access& access) {
  for (uint32_t target : loads_.touched()) {
    const TargetLoad& load = loads_.of(target);
    (access.writes ? targets_[target].bytes_written : targets_[target].bytes_read) += load.bytes;
    targets_[target].requests += load.requests;
    targets_[target].busy_s += service_seconds(load, machine_.target, access);
  }
}

/// The first of the ranks that make the call moves the data for all.
void World::add_once(const Member& member, const SimulatedFile& file, int64_t offset) {
  const trace::RankSet* who = member.operation.participants;
  bool is_first = who == nullptr || who->empty() || who->first() == member.walk->group().ranks.front();
  auto size = static_cast<uint64_t>(std::max<int64_t>(0, member.operation.sizes.first()));
  if (is_first) loads_.add(file.layout, offset, 0, 1, size);
}

/// How the member's transfer continues the one before it, by offsets as `found`. Behind a leap they don't
/// tell.
Continued World::continues(Member& member, Continued found) const {
  auto [before, is_new] = member.continued.try_emplace(member.operation.place, found);
  Turn last = member.leapt;
  ++last.index;
  bool is_behind_leap =
      member.reuse > 0 && (member.walk->stands_in(member.leapt) || member.walk->stands_in(last));
  if (member.reuse > 0) --member.reuse;
  if (!is_behind_leap) before->second = found;
  return before->second;
}

/// Carries out the transfer of one member.
void World::move(size_t m, double delay_s) {
  Member& member = members_[m];
  Running& running = running_[member.application];
  const Operation& operation = member.operation;
  SimulatedFile& file = running.files[operation.file];
  Spread offsets = offsets_of(operation, file);
  loads_.clear();
  if (operation.once && !file.own)
    add_once(member, file, offsets.first());
  else if (file.own)
    loads_.add_own(file.layout, offsets, operation.sizes);
  else
    loads_.add_shared(file.layout, offsets, operation.sizes);
  Continued continued = Continued::none;
  if (offsets.lowest() == file.last_end) continued = file.own ? Continued::all : Continued::first;
  continued = continues(member, continued);
  file.last_end = trace::wrap_add(offsets.highest(), operation.sizes.highest());
  Access access{operation.writes, file.shared && !operation.once, continued};
  count_targets(access);

  Flow flow{.kind = Flow::Kind::transfer, .application = member.application, .members = {m}};
  auto ranks = static_cast<double>(member.walk->ranks());
  flow.volume.transfers = member.walk->ranks();
  (operation.writes ? flow.volume.bytes_written : flow.volume.bytes_read) =
      static_cast<uint64_t>(operation.sizes.sum());
  flow.delay_s = delay_s + machine_.call_s + machine_.latency_s;
  if (machine_.rank_bandwidth > 0)
    flow.least_s = as_double(operation.sizes.highest()) / machine_.rank_bandwidth;
  flow.works = stages_.transfer(member.placement, loads_, {access, ranks, member.placement.nodes});
  member.step = Step::next;
  if (!absorb(flow, member.placement, ranks)) request(std::move(flow));
}

/// A write of `writers` that the caches of the nodes have room for goes on behind the back of the ranks.
bool World::absorb(Flow& flow, const Placement& nodes, double writers) {
  Running& running = running_[flow.application];
  if (machine_.cache_bytes == 0 || flow.volume.bytes_written == 0) return false;
  auto bytes = static_cast<double>(flow.volume.bytes_written);
  double room = static_cast<double>(machine_.cache_bytes) * nodes.application_nodes;
  if (running.cached + bytes > room) return false;
  running.cached += bytes;
  Flow drain{.kind = Flow::Kind::drain, .application = flow.application};
  drain.works = std::move(flow.works);
  drain.delay_s = flow.delay_s;
  drain.amount = bytes;
  drain.start_s = now();
  ++running.transfers;  // a lease lasts until the data is where it belongs
  flow.works = stages_.cached(nodes, bytes, writers);
  request(std::move(drain));
  request(std::move(flow));
  return true;
}

/// All members have arrived: their data goes through aggregators, as one piece.
void World::collective_transfer(uint32_t application, const std::vector<size_t>& members) {
  Running& running = running_[application];
  const Operation& first = members_[members.front()].operation;
  SimulatedFile& file = running.files[first.file];
  bool own = std::any_of(members.begin(), members.end(), [&](size_t m) {
    return running.files[members_[m].operation.file].own || members_[m].operation.file != first.file;
  });
  if (running.aggregation.aggregators == 0 || own) {
    running.transfers += members.size() - 1;
    for (size_t m : members) move(m, 0);
    return;
  }
  Flow flow{.kind = Flow::Kind::exchange, .application = application, .members = members};
  int64_t begin = first.placed ? INT64_MAX : first.writes ? file.written_cursor : file.read_cursor;
  int64_t bytes = 0;
  for (size_t m : members) {
    Member& member = members_[m];
    bytes = trace::wrap_add(bytes, member.operation.sizes.sum());
    if (member.operation.placed) begin = std::min(begin, member.operation.offsets.lowest());
    flow.volume.transfers += member.walk->ranks();
    flow.volume.barriers += member.walk->ranks();
    member.step = Step::next;
  }
  bytes = std::max<int64_t>(0, bytes);
  int64_t& cursor = first.writes ? file.written_cursor : file.read_cursor;
  if (!first.placed) cursor = trace::wrap_add(cursor, bytes);
  Continued continued = begin == file.last_end ? Continued::first : Continued::none;
  for (size_t m : members) continued = continues(members_[m], continued);
  file.last_end = trace::wrap_add(begin, bytes);
  loads_.clear();
  AggregatedTransfer how =
      aggregate(running.aggregation, file.layout, begin, static_cast<uint64_t>(bytes), loads_);
  Access access{first.writes, how.aggregators > 1, continued};
  count_targets(access);
  (first.writes ? flow.volume.bytes_written : flow.volume.bytes_read) = static_cast<uint64_t>(bytes);
  double ranks = static_cast<double>(flow.volume.transfers);
  flow.works = stages_.exchange(running.placement, static_cast<double>(bytes), std::max(1U, how.aggregators));
  auto rounds = static_cast<double>(how.rounds);
  flow.delay_s = rounds * machine_.latency_s * std::ceil(std::log2(std::max(2.0, ranks)));
  flow.writers = std::max(1U, how.aggregators);
  uint32_t nodes = std::min(flow.writers, running.placement.application_nodes);
  flow.then = stages_.transfer(running.placement, loads_, {access, static_cast<double>(flow.writers), nodes});
  flow.then_least_s = rounds * (machine_.call_s + machine_.latency_s);
  if (machine_.rank_bandwidth > 0)
    flow.then_least_s += static_cast<double>(bytes) / std::max(1U, how.aggregators) / machine_.rank_bandwidth;
  request(std::move(flow));
}

/// Calls `go` at once, or when the application has its leases.
void World::through_gate(uint32_t application, std::function<void()> go) {
  Running& running = running_[application];
  ++running.transfers;
  ++running.rests;
  if (!coordination_ || running.lease == Lease::held) return go();
  running.at_gate.push_back(std::move(go));
  if (running.lease == Lease::asked) return;
  running.lease = Lease::asked;
  running.asked_s = now();
  coordination_->ask(application, now());
}

/// After the last transfer, an application that rests for a while gives its leases back.
void World::ended_transfer(uint32_t application, uint64_t count) {
  Running& running = running_[application];
  running.transfers -= count;
  if (running.transfers > 0 || !coordination_) return;
  Flow rest{.kind = Flow::Kind::rest, .application = application};
  rest.delay_s = options_.idle_s;
  rest.amount = static_cast<double>(++running.rests);
  request(std::move(rest));
}

void World::settle() {
  for (uint32_t application : coordination_->settle(now())) {
    Running& running = running_[application];
    running.lease = Lease::held;
    running.waited_s += now() - running.asked_s;
    std::vector<std::function<void()>> waiting = std::move(running.at_gate);
    running.at_gate.clear();
    for (std::function<void()>& go : waiting) go();
  }
}

}  // namespace refrain::simulate
