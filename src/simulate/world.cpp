// Members and flows. Everything here happens at one point of simulated time per call of handle(): flows end,
// members go on to their next operations, and what these need is started together. Time only passes in the
// engine.
#include "simulate/world.hpp"

#include <algorithm>
#include <cmath>

namespace refrain::simulate {

namespace {

constexpr uint64_t progress_every = 4096;
constexpr uint32_t default_buffer = 16U << 20U;

Aggregation aggregation_for(const Program& program, uint32_t nodes, const SimulationOptions& options) {
  Aggregation how{.aggregators = nodes, .buffer_bytes = default_buffer};
  if (program.aggregators > 0) how.aggregators = program.aggregators;
  if (program.buffer_bytes > 0) how.buffer_bytes = program.buffer_bytes;
  if (options.aggregators) how.aggregators = *options.aggregators;
  if (options.buffer_bytes) how.buffer_bytes = *options.buffer_bytes;
  how.aggregators = std::min(how.aggregators, program.ranks);
  return how;
}

/// What the I/O node of a machine moves per second, for policies.
double station_bandwidth(const Machine& machine) {
  double storage = machine.target.write_bandwidth * machine.targets();
  if (machine.server_bandwidth > 0) storage = std::min(storage, machine.server_bandwidth * machine.servers);
  return machine.io_nodes > 0 ? std::min(storage, machine.io_node_bandwidth) : storage;
}

std::vector<FunctionOutcome> functions_of(const Program& program, const Tally& tally) {
  std::map<std::string, FunctionOutcome> functions;
  for (const auto& [signature, spent] : tally.spent) {
    const std::string& name = program.trace->signatures[signature].function;
    FunctionOutcome& f = functions[name];
    f.function = name;
    f.calls += spent.calls;
    f.bytes_read += spent.bytes_read;
    f.bytes_written += spent.bytes_written;
    f.seconds += spent.seconds;
  }
  std::vector<FunctionOutcome> list;
  for (auto& [name, f] : functions) list.push_back(std::move(f));
  return list;
}

}  // namespace

World::World(const Machine& machine, const std::vector<Application>& applications,
             const SimulationOptions& options)
    : machine_(machine),
      options_(options),
      stages_(machine, static_cast<uint32_t>(applications.size())),
      loads_(machine.targets(), machine.target.block),
      targets_(machine.targets()) {
  size_t members = 0;
  for (const Application& application : applications) members += application.program->groups.size();
  members_.reserve(members);
  running_.reserve(applications.size());
  std::vector<Coordination::Application> coordinated;
  for (uint32_t a = 0; a < applications.size(); ++a) {
    const Application& application = applications[a];
    running_.push_back(
        {.setup = &application, .files = FileTable(machine), .tally = Tally(options.phase_gap_s)});
    Running& running = running_.back();
    running.start_s = running.end_s = application.start_s;
    for (const Group& group : application.program->groups) {
      Member member{.application = a};
      member.walk = std::make_unique<GroupWalk>(*application.program, group, running.files);
      member.placement = stages_.place(a, application.first_node, application.program->ranks, group.ranks);
      members_.push_back(std::move(member));
      ++running.members;
    }
    uint32_t nodes = members_.back().placement.application_nodes;
    running.aggregation = aggregation_for(*application.program, nodes, options);
    coordinated.push_back({application.name, nodes,
                           stages_.io_nodes_of(application.first_node, application.program->ranks),
                           application.profile});
  }
  std::vector<Placement*> placements;
  for (Member& member : members_) placements.push_back(&member.placement);
  for (uint32_t a = 0; a < applications.size(); ++a) {
    std::vector<uint32_t> all(applications[a].program->ranks);
    for (uint32_t rank = 0; rank < all.size(); ++rank) all[rank] = rank;
    running_[a].placement = stages_.place(a, applications[a].first_node, applications[a].program->ranks, all);
    placements.push_back(&running_[a].placement);
  }
  stages_.finish(placements);
  live_applications_ = applications.size();
  if (options.policy != nullptr) {
    coordination_ = std::make_unique<Coordination>(*options.policy, std::max(1U, machine.io_nodes),
                                                   station_bandwidth(machine), std::move(coordinated));
  }
}

void World::begin() {
  for (size_t m = 0; m < members_.size(); ++m)
    pause(m, running_[members_[m].application].start_s + members_[m].walk->group().start_s, Step::next);
  for (uint32_t a = 0; a < running_.size() && coordination_; ++a) coordination_->join(a, 0);
}

void World::handle(Engine& engine, const std::vector<size_t>& done) {
  engine_ = &engine;
  if (!begun_) begin();
  begun_ = true;
  for (size_t number : done) finish(number);
  while (true) {
    for (; !ready_.empty(); ready_.pop_front()) advance(ready_.front());
    if (coordination_) settle();
    if (!ready_.empty()) continue;
    flush();
    if (live_flows_ > 0 || live_applications_ == 0) return;
    release_stuck();
    flush();
    if (ready_.empty()) return;
  }
}

void World::finish(size_t number) {
  Flow flow = std::move(flows_[number]);
  free_flows_.push_back(number);
  --live_flows_;
  Running& running = running_[flow.application];
  switch (flow.kind) {
    case Flow::Kind::exchange: {
      Flow next{
          .kind = Flow::Kind::transfer, .application = flow.application, .members = std::move(flow.members)};
      next.start_s = flow.start_s;
      next.volume = flow.volume;
      next.works = std::move(flow.then);
      next.least_s = flow.then_least_s;
      Placement nodes = running.placement;
      nodes.nodes = std::min(flow.writers, nodes.application_nodes);
      if (!absorb(next, nodes, flow.writers)) request(std::move(next));
      return;
    }
    case Flow::Kind::transfer:
      running.tally.ends(flow.start_s, now(), flow.volume);
      ended_transfer(flow.application, flow.transfers);
      for (size_t member : flow.members) spend(member);
      break;
    case Flow::Kind::drain:
      running.cached -= flow.amount;
      running.drained_s += now() - flow.start_s;
      ended_transfer(flow.application, 1);
      if (running.ended == running.members) leave_coordination(flow.application);
      return;
    case Flow::Kind::rest:
      if (running.transfers > 0 || static_cast<double>(running.rests) != flow.amount) return;
      coordination_->end(flow.application, now());
      running.lease = Lease::none;
      return;
    case Flow::Kind::pause:
    case Flow::Kind::metadata:
      break;
  }
  running.tally.volume.add(flow.volume);
  for (size_t member : flow.members) follow(member);
}

/// The member's transfer is done.
void World::spend(size_t m) {
  const Member& member = members_[m];
  const Operation& operation = member.operation;
  auto ranks = member.walk->ranks();
  Tally::Spent spent{.calls = ranks, .seconds = (now() - member.call_s) * static_cast<double>(ranks)};
  (operation.writes ? spent.bytes_written : spent.bytes_read) = static_cast<uint64_t>(operation.sizes.sum());
  running_[member.application].tally.spent[operation.signature].add(spent);
}

void World::follow(size_t member) {
  switch (members_[member].step) {
    case Step::next:
      ready_.push_back(member);
      break;
    case Step::arrive:
      arrive(member);
      break;
    case Step::pass:
      members_[member].step = Step::next;
      through_gate(members_[member].application, [this, member] { move(member, 0); });
      break;
    case Step::leave:
      leave(member);
      break;
  }
}

void World::pause(size_t member, double seconds, Step step) {
  members_[member].step = step;
  if (!(seconds > 0)) return follow(member);
  Flow flow{.kind = Flow::Kind::pause, .application = members_[member].application, .members = {member}};
  flow.delay_s = seconds;
  request(std::move(flow));
}

void World::advance(size_t m) {
  Member& member = members_[m];
  member.operation = member.walk->next();
  ++member.steps;
  member.operation.before_s *= options_.think;
  if (member.walk->turn() && !options_.every_turn && !options_.detail && !coordination_) note_turn(m);
  const Operation& operation = member.operation;
  if (++operations_ % progress_every == 0 && options_.progress) options_.progress(operations_);
  switch (operation.kind) {
    case Operation::Kind::end:
    case Operation::Kind::compute:
      return pause(m, operation.before_s, Step::leave);
    case Operation::Kind::barrier:
      return pause(m, operation.before_s, Step::arrive);
    case Operation::Kind::transfer:
      return transfer(m, operation.before_s);
    case Operation::Kind::metadata:
      break;
  }
  auto ranks = static_cast<double>(member.walk->ranks());
  Flow flow{.kind = Flow::Kind::metadata, .application = member.application, .members = {m}};
  member.step = Step::next;
  flow.volume.metadata = member.walk->ranks();
  flow.delay_s = operation.before_s + machine_.latency_s;
  flow.works = stages_.metadata(ranks);
  request(std::move(flow));
}

void World::leave(size_t m) {
  Member& member = members_[m];
  Running& running = running_[member.application];
  member.ended = true;
  running.end_s = std::max(running.end_s, now());
  // Nobody waits for who is gone.
  std::vector<Point*> complete;
  for (auto& [place, point] : running.points) {
    if (!std::binary_search(point.participants.begin(), point.participants.end(), m)) continue;
    ++point.gone;
    if (point.is_complete()) complete.push_back(&point);
  }
  std::sort(complete.begin(), complete.end(),
            [](const Point* a, const Point* b) { return a->waiting.front() < b->waiting.front(); });
  for (Point* point : complete) release(member.application, *point);
  if (++running.ended < running.members) return;
  --live_applications_;
  leave_coordination(member.application);
}

/// Of an application that has ended, as soon as its nodes' caches are empty.
void World::leave_coordination(uint32_t application) {
  if (coordination_ && running_[application].transfers == 0) coordination_->leave(application, now());
}

void World::request(Flow flow) {
  ++live_flows_;
  requests_.push_back(std::move(flow));
}

/// Starts what was asked for at this time.
void World::flush() {
  if (options_.detail && requests_.size() > 1) merge_requests();
  for (Flow& flow : requests_) launch(std::move(flow));
  requests_.clear();
}

void World::launch(Flow flow) {
  size_t number = flows_.size();
  if (free_flows_.empty()) {
    flows_.emplace_back();
  } else {
    number = free_flows_.back();
    free_flows_.pop_back();
  }
  ++flow_count_;
  if (flow.kind == Flow::Kind::transfer || flow.kind == Flow::Kind::exchange) {
    if (flow.start_s < 0) {
      flow.start_s = now() + flow.delay_s;
      running_[flow.application].tally.begins(flow.start_s);
    }
  }
  double delay = flow.delay_s;
  double least = flow.least_s;
  // Nodes that can't use all of a stage take longer, even alone.
  for (const Work& work : flow.works) least = std::max(least, work.seconds / work.bound);
  std::vector<Work> works = std::move(flow.works);
  flows_[number] = std::move(flow);
  engine_->start(number, delay, least, std::move(works));
}

Outcome World::outcome() const {
  Outcome outcome;
  for (const Running& running : running_) {
    const Application& setup = *running.setup;
    ApplicationOutcome a{.name = setup.name,
                         .ranks = setup.program->ranks,
                         .groups = static_cast<uint32_t>(running.members),
                         .start_s = running.start_s,
                         .end_s = running.end_s,
                         .io_s = running.tally.io_s,
                         .waited_s = running.waited_s};
    a.volume = running.tally.volume;
    a.phases = running.tally.phases;
    a.phase_count = running.tally.phase_count;
    a.usage = running.tally.usage;
    a.functions = functions_of(*setup.program, running.tally);
    outcome.applications.push_back(std::move(a));
  }
  outcome.targets = targets_;
  if (coordination_) outcome.leases = coordination_->leases();
  outcome.flows = flow_count_;
  outcome.skipped = skipped_turns_;
  if (stuck_ > 0) {
    outcome.notes.push_back(
        std::to_string(stuck_) +
        " times ranks waited for each other in collective calls that don't belong together, "
        "and went on without waiting");
  }
  bool damaged =
      std::any_of(members_.begin(), members_.end(), [](const Member& m) { return m.walk->damaged(); });
  if (damaged) outcome.notes.push_back("values are missing from a trace: it was simulated as far as they go");
  return outcome;
}

}  // namespace refrain::simulate
