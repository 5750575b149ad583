// See group_walk.hpp. The first rank of the group is run by an Expander. Its tree has the nodes of the merged
// one that this rank runs, in the same order, so both are put side by side once; then every event of the rank
// leads to the node of all ranks, whose numbers tell the offsets and sizes of the others.
#include "simulate/group_walk.hpp"

#include <algorithm>

#include "trace/at_rank.hpp"

namespace refrain::simulate {

using namespace trace;
using measure::AccessRule;

namespace {

double mean_seconds(const Histogram& h) {
  return h.count() == 0 ? 0 : static_cast<double>(h.sum_ns()) / static_cast<double>(h.count()) / 1e9;
}

/// Whether at_rank keeps the node for the rank.
bool is_kept(const Node& node, const RankSet& around, uint32_t rank) {
  const RankSet& ranks = ranks_of(node, around);
  if (!node.ranks.empty() && !ranks.contains(rank)) return false;
  return node.kind == NodeKind::event || node.kind == NodeKind::choice ||
         std::any_of(node.body.begin(), node.body.end(),
                     [&](const Node& n) { return is_kept(n, ranks, rank); });
}

}  // namespace

/// A node of the first rank's tree.
struct GroupWalk::Place {
  const Node* own = nullptr;
  const Node* merged = nullptr;
  const RankSet* within = nullptr;
  uint64_t executions = 0;
  double gap_s = 0, duration_s = 0;
  std::map<uint32_t, ValueSpread> spreads{};
};

/// A stream that the group runs.
struct GroupWalk::Source {
  std::vector<Node> nodes;
  std::vector<Place> places;  ///< by the numbers of the expander
  std::unique_ptr<Expander> expander;
  bool filtered = false;  ///< only events of the layer asked for are operations
  uint64_t left = UINT64_MAX;

  Source(const Stream& stream, const RankSet& ranks, uint32_t rank)
      : nodes(at_rank(stream.nodes, ranks, rank)) {
    pair_up(nodes, stream.nodes, ranks, rank, false);
    for (size_t i = 0; i < places.size(); ++i) {
      Place place = places[i];
      pair_up(place.own->body, place.merged->body, *place.within, rank, place.own->kind == NodeKind::choice);
    }
    expander = std::make_unique<Expander>(nodes);
  }

  void pair_up(const std::vector<Node>& own, const std::vector<Node>& merged, const RankSet& around,
               uint32_t rank, bool arms) {
    size_t at = 0;
    for (const Node& node : merged) {
      if (at == own.size()) return;
      if (!arms && !is_kept(node, around, rank)) continue;
      const Node& mine = own[at++];
      places.push_back({&mine,
                        &node,
                        &ranks_of(node, around),
                        0,
                        mean_seconds(node.timing.gap),
                        mean_seconds(node.timing.duration),
                        {}});
    }
  }
};

size_t FileTable::make(const std::string& path, bool own, uint64_t count) {
  StripeRule rule = machine_.striping_of(path);
  uint32_t targets = machine_.targets();
  SimulatedFile file{.path = path, .own = own, .files = count};
  file.layout = {rule.size, rule.count == 0 ? targets : std::min(rule.count, targets),
                 static_cast<uint32_t>(next_target_ % targets)};
  next_target_ += own ? count : file.layout.count;
  files_.push_back(std::move(file));
  return files_.size() - 1;
}

size_t FileTable::one(const std::string& path) {
  auto [entry, is_new] = by_key_.try_emplace(path, files_.size());
  if (is_new) make(path, false, 1);
  return entry->second;
}

size_t FileTable::open(const std::string& path, const std::vector<uint32_t>& ranks) {
  size_t number = one(path);
  SimulatedFile& file = files_[number];
  if (!file.opener) file.opener = ranks.front();
  file.shared |= ranks.size() > 1 || *file.opener != ranks.front();
  return number;
}

size_t FileTable::own(const std::string& key, const std::string& path, uint64_t count) {
  auto [entry, is_new] = by_key_.try_emplace(key, files_.size());
  if (is_new) make(path, true, count);
  return entry->second;
}

GroupWalk::GroupWalk(const Program& program, const Group& group, FileTable& files)
    : program_(program), group_(group), files_(files) {
  uint32_t rank = group.ranks.front();
  sources_.push_back(std::make_unique<Source>(*group.outer, ranks_of(*group.outer, *group.process), rank));
  sources_[0]->filtered = !program.layer.empty();
  if (group.layer == nullptr) return;
  const RankSet& ranks = ranks_of(*group.layer, *group.process);
  int64_t prefix = group.layer->prefix.at(rank, ranks.empty() ? 0 : ranks.position(rank).value_or(0));
  sources_[0]->left = static_cast<uint64_t>(std::max<int64_t>(0, prefix));
  sources_.push_back(std::make_unique<Source>(*group.layer, ranks, rank));
}

GroupWalk::~GroupWalk() = default;

Operation GroupWalk::next() {
  Operation operation;
  turn_.reset();
  while (at_ < sources_.size()) {
    Source& source = *sources_[at_];
    if (source.left == 0 || !event(operation)) {
      damaged_ |= source.expander->damaged();
      indices_.clear();
      ++at_;
      continue;
    }
    if (operation.kind != Operation::Kind::end) return operation;
  }
  return operation;
}

/// Runs one event; false at the end of the source.
bool GroupWalk::event(Operation& operation) {
  Source& source = *sources_[at_];
  Expander::Event e = source.expander->next();
  if (e.node == nullptr || e.number >= source.places.size()) return false;
  Place& place = source.places[e.number];
  note_turn(place);
  operation.before_s += place.gap_s;
  bool is_operation = true;
  if (source.filtered) {
    is_operation = program_.trace->signatures[e.node->signature].in_stream_of(program_.layer);
    if (is_operation) --source.left;
  }
  if (!is_operation || !carry_out(place, e.parameters, operation)) operation.before_s += place.duration_s;
  ++place.executions;
  return true;
}

void GroupWalk::note_turn(const Place& place) {
  const Expander& expander = *sources_[at_]->expander;
  std::span<const int64_t> now = expander.indices();
  size_t depth = 0;
  while (depth < now.size() && depth < indices_.size() && now[depth] == indices_[depth]) ++depth;
  bool turns = depth < now.size() && depth < indices_.size() && now[depth] == indices_[depth] + 1;
  if (turns || now.size() != indices_.size() || depth < now.size()) indices_.assign(now.begin(), now.end());
  // Time that began before the turn belongs to the turn all the same: only the first one that is found
  // counts.
  if (!turns || turn_) return;
  turn_ = Turn{depth, now[depth], expander.trips()[depth],
               static_cast<size_t>(&place - sources_[at_]->places.data())};
  Snapshot& snapshot = turns_[depth];
  snapshot.before = std::move(snapshot.now);
  snapshot.now = handles_;
}

/// False if the call is only time.
bool GroupWalk::carry_out(Place& place, std::span<const int64_t> parameters, Operation& operation) {
  const CallFacts& facts = program_.calls[place.merged->signature];
  const AccessRule& rule = facts.rule;
  operation.place = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(place.merged));
  operation.participants = place.within;
  operation.signature = place.merged->signature;
  if (facts.marks_together) together_[parameters[facts.lists.front()]] = true;
  if (facts.opens_file) {
    open(place, parameters);
  } else if (rule.made && rule.handle && rule.effect != AccessRule::Effect::none) {
    handles_[{rule.made.handle_class, parameters[rule.made.parameter]}] = handle(rule.handle, parameters);
  } else if (rule.effect == AccessRule::Effect::seek) {
    seek(place, parameters);
  } else if (rule.effect == AccessRule::Effect::close) {
    handles_.erase({rule.handle.handle_class, parameters[rule.handle.parameter]});
  }
  if (facts.sets_view && rule.handle) handle(rule.handle, parameters).has_view = true;
  switch (facts.kind) {
    case CallFacts::Kind::data:
      transfer(place, parameters, operation);
      return true;
    case CallFacts::Kind::metadata:
      operation.kind = Operation::Kind::metadata;
      return true;
    case CallFacts::Kind::barrier:
      operation.kind = Operation::Kind::barrier;
      return true;
    case CallFacts::Kind::compute:
      break;
  }
  return false;
}

Spread GroupWalk::spread(Place& place, uint32_t parameter, std::span<const int64_t> parameters) {
  if (ranks() == 1) return Spread::constant(parameters[parameter], 1);
  auto found = place.spreads.find(parameter);
  if (found == place.spreads.end()) {
    found =
        place.spreads.try_emplace(parameter, place.merged->parameters[parameter], *place.within, group_.ranks)
            .first;
  }
  return found->second.at(parameters[parameter], sources_[at_]->expander->indices(), place.executions);
}

GroupWalk::Handle& GroupWalk::handle(const AccessRule::Slot& slot, std::span<const int64_t> parameters) {
  Key key{slot.handle_class, parameters[slot.parameter]};
  auto found = handles_.find(key);
  if (found != handles_.end()) return found->second;
  // Nobody was seen to open it: a file of its own.
  std::string name =
      "(open from the beginning: " + std::to_string(key.first) + "." + std::to_string(key.second) + ")";
  Handle made{.file = files_.one(name), .position = Spread::constant(0, ranks())};
  return handles_.emplace(key, std::move(made)).first->second;
}

void GroupWalk::open(Place& place, std::span<const int64_t> parameters) {
  const AccessRule& rule = program_.calls[place.merged->signature].rule;
  bool own = false;
  std::string path = "?";
  if (rule.path != AccessRule::absent) {
    path = text_at(program_.trace->templates, parameters.subspan(rule.path), rule.path_fields).value_or("?");
    for (uint32_t i = 0; i < rule.path_fields && ranks() > 1; ++i)
      own |= !spread(place, rule.path + 1 + i, parameters).is_constant();
  }
  Handle made{.position = Spread::constant(0, ranks()), .appends = rule.appends};
  // Groups that open the same files one by one are told apart by their first rank.
  if (own)
    made.file = files_.own(path + '\0' + std::to_string(group_.ranks.front()), path, ranks());
  else
    made.file = files_.open(path, group_.ranks);
  if (rule.offset != AccessRule::absent) made.position = spread(place, rule.offset, parameters);
  files_[made.file].read_cursor = 0;
  handles_[{rule.made.handle_class, parameters[rule.made.parameter]}] = std::move(made);
}

void GroupWalk::seek(Place& place, std::span<const int64_t> parameters) {
  const AccessRule& rule = program_.calls[place.merged->signature].rule;
  Handle& h = handle(rule.handle, parameters);
  if (rule.result != AccessRule::absent) {
    h.position = spread(place, rule.result, parameters);
  } else if (rule.whence == AccessRule::Whence::current && rule.offset != AccessRule::absent) {
    h.position.add(spread(place, rule.offset, parameters));
  } else {
    h.position = rule.offset == AccessRule::absent ? Spread::constant(0, ranks())
                                                   : spread(place, rule.offset, parameters);
    if (rule.whence == AccessRule::Whence::end) h.position.add(files_[h.file].written_cursor);
  }
}

void GroupWalk::transfer(Place& place, std::span<const int64_t> parameters, Operation& operation) {
  const CallFacts& facts = program_.calls[place.merged->signature];
  const AccessRule& rule = facts.rule;
  Handle& h = handle(rule.handle, parameters);
  operation.kind = Operation::Kind::transfer;
  operation.writes = rule.writes;
  operation.file = h.file;
  operation.together = facts.moves_together;
  operation.once = facts.is_attribute;
  for (uint32_t list : facts.lists) {
    auto found = together_.find(parameters[list]);
    operation.together |= found != together_.end() && found->second;
  }
  operation.sizes = spread(place, rule.bytes, parameters);
  for (uint32_t i = 1; i < rule.byte_parameters; ++i)
    operation.sizes.add(spread(place, rule.bytes + i, parameters));
  SimulatedFile& file = files_[h.file];
  if (facts.has_offset && !h.has_view) {
    operation.offsets = spread(place, rule.offset, parameters);
  } else if (rule.positioned && !(h.appends && rule.writes)) {
    operation.offsets = h.position;
    h.position.add(operation.sizes);
  } else {
    operation.placed = false;
    return;
  }
  int64_t end = trace::wrap_add(operation.offsets.highest(), operation.sizes.highest());
  if (rule.writes) file.written_cursor = std::max(file.written_cursor, end);
}

/// Whether a turn of the loop at `depth` differs from the others in offsets and names alone.
bool GroupWalk::turns_alike(const Node& node, size_t depth) const {
  auto is_fixed = [&](const Value& v) {
    bool by_list = v.form == Form::separable || v.form == Form::power;
    if (by_list ? v.depth == depth : v.form != Form::affine) return false;
    return depth >= v.slopes.size() || v.slopes[depth] == 0 || v.slopes[depth] == Value::any_slope;
  };
  if (node.kind == NodeKind::event) {
    const CallFacts& facts = program_.calls[node.signature];
    for (uint32_t i = 0; facts.kind == CallFacts::Kind::data && i < facts.rule.byte_parameters; ++i)
      if (!is_fixed(node.parameters[facts.rule.bytes + i])) return false;
    return true;
  }
  return is_fixed(node.count) && std::all_of(node.body.begin(), node.body.end(),
                                             [&](const Node& n) { return turns_alike(n, depth); });
}

bool GroupWalk::stands_in(const Turn& turn) const {
  if (at_ >= sources_.size()) return false;
  const Expander& expander = *sources_[at_]->expander;
  std::span<const int64_t> now = expander.indices();
  return turn.depth < now.size() && now[turn.depth] == turn.index &&
         expander.trips()[turn.depth] == turn.trips;
}

bool GroupWalk::may_leap(size_t depth) {
  if (at_ >= sources_.size()) return false;
  Source& source = *sources_[at_];
  if (!source.expander->may_leap(depth) || source.left != UINT64_MAX) return false;
  const Node* loop = source.expander->loop(depth);
  return loop != nullptr && std::all_of(loop->body.begin(), loop->body.end(),
                                        [&](const Node& node) { return turns_alike(node, depth); });
}

void GroupWalk::leap(size_t depth, int64_t turns) {
  sources_[at_]->expander->leap(depth, turns);
  indices_[depth] += turns;
  Snapshot& snapshot = turns_[depth];
  for (auto& [key, h] : handles_) {
    auto before = snapshot.before.find(key);
    auto now = snapshot.now.find(key);
    if (before == snapshot.before.end() || now == snapshot.now.end()) continue;
    if (before->second.file != h.file || now->second.position.size() != h.position.size()) continue;
    h.position.add(now->second.position, turns);
    h.position.add(before->second.position, -turns);
  }
}

}  // namespace refrain::simulate
