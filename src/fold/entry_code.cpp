// Entries as bytes; see entry_code.hpp. Restoring trusts nothing: sizes and depth are bounded here, whether
// the numbers agree with each other is asked in state.cpp.
#include "fold/entry_code.hpp"

#include <memory>
#include <utility>

namespace refrain::fold {
namespace {

enum Kind : uint8_t { raw_event, event_node, loop_node, merged_loop, adaptive_loop, communicating_event };

void save_node(ByteWriter& out, const LiveNode& node) {
  uint8_t kind = !node.loop      ? event_node
                 : node.adaptive ? adaptive_loop
                 : node.merged   ? merged_loop
                                 : loop_node;
  out.u8(kind);
  out.varint(node.executions);
  if (!node.loop) {
    out.varint(node.signature);
    for (const Stream& s : node.parameters) s.save(out);
    node.timing.gap.write(out);
    node.timing.communication.write(out);
    node.timing.duration.write(out);
    return;
  }
  node.counts.save(out);
  out.varint(node.body.size());
  for (const Owned& child : node.body) save_node(out, *child);
}

}  // namespace

void save_event(ByteWriter& out, uint32_t signature, const int64_t* parameters, uint32_t count,
                const Times& times) {
  out.u8(times.communication != nullptr ? communicating_event : raw_event);
  out.varint(signature);
  for (uint32_t p = 0; p < count; ++p) out.svarint(parameters[p]);
  out.varint(times.gap_ns);
  out.varint(times.duration_ns);
  if (times.communication != nullptr) times.communication->write(out);
}

void save_entry(ByteWriter& out, const Residue& residue, const Residue::Entry& entry) {
  const LiveNode* node = entry.node.get();
  if (node && (node->loop || node->executions != 1)) return save_node(out, *node);
  bool communicating = node && !node->timing.communication.empty();
  out.u8(communicating ? communicating_event : raw_event);
  out.varint(entry.signature);
  const int64_t* values = residue.raw_parameters(entry);
  for (uint32_t p = 0; p < residue.shape(entry.signature).parameters; ++p)
    out.svarint(node ? node->parameters[p].back() : values[p]);
  out.varint(node ? node->timing.gap.sum_ns() : entry.gap_ns);
  out.varint(node ? node->timing.duration.sum_ns() : entry.duration_ns);
  if (communicating) node->timing.communication.write(out);
}

Owned EntryReader::read_node(uint8_t kind, uint32_t height_left) {
  uint64_t executions = in_.bounded(most_events, "too many executions");
  if (kind < event_node || kind > adaptive_loop) in_.fail("unknown kind of node");
  if (height_left == 0) in_.fail("loops nested too deeply");
  if (!in_.ok()) return nullptr;
  Owned made = kind == event_node ? read_event() : read_loop(kind, height_left);
  if (made) made->executions = executions;
  return made;
}

Owned EntryReader::read_event() {
  uint64_t number = in_.bounded(residue_.shapes().size(), "unknown signature");
  if (!in_.ok() || !residue_.declared(static_cast<uint32_t>(number))) {
    in_.fail("unknown signature");
    return nullptr;
  }
  const Shape& shape = residue_.shape(static_cast<uint32_t>(number));
  if (shape.parameters > in_.left()) {
    in_.fail("unexpected end");
    return nullptr;
  }
  Owned made = make_event(static_cast<uint32_t>(number), shape.bracket, shape.parameters);
  for (Stream& s : made->parameters) s = Stream::restore(in_);
  made->timing.gap = Histogram::read(in_);
  made->timing.communication = trace::Communication::read(in_);
  made->timing.duration = Histogram::read(in_);
  return made;
}

Owned EntryReader::read_loop(uint8_t kind, uint32_t height_left) {
  auto made = std::make_unique<LiveNode>();
  made->loop = true;
  made->merged = kind != loop_node;
  made->adaptive = kind == adaptive_loop;
  made->counts = Stream::restore(in_);
  size_t n = in_.count(3, "too many nodes");
  if (n == 0) in_.fail("empty loop");
  for (size_t i = 0; i < n && in_.ok(); ++i) {
    uint8_t child = in_.u8();
    made->body.push_back(read_node(child, height_left - 1));
  }
  if (!in_.ok()) return nullptr;
  rehash(*made);
  return made;
}

bool EntryReader::next() {
  node = nullptr;
  uint8_t kind = in_.u8();
  if (kind == event_node) in_.fail("single event that isn't raw");
  if (kind != raw_event && kind != communicating_event) {
    node = read_node(kind, max_height + 1);
    return in_.ok();
  }
  uint64_t number = in_.varint();
  if (number >= residue_.shapes().size()) in_.fail("unknown signature");
  if (!in_.ok()) return false;
  signature = static_cast<uint32_t>(number);
  values.resize(residue_.shape(signature).parameters);
  for (int64_t& v : values) v = in_.svarint();
  times = {.gap_ns = in_.varint(), .duration_ns = in_.varint()};
  if (kind == communicating_event) {
    communication_ = trace::Communication::read(in_);
    times.communication = &communication_;
  }
  return in_.ok();
}

}  // namespace refrain::fold
