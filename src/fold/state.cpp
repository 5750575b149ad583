// The state of the folder as bytes, for processes that are replaced or killed: folding the rest of the events
// from a restored state gives the same tree as never having stopped. Indexes, hashes and counts that follow
// from the rest are not written; they are rebuilt.
//
// Restoring trusts nothing. Besides limits on sizes and depth, the numbers must agree with each other: a node
// in a loop's body has been executed as often as the loop's trip counts, and the iterations begun by the
// cursor, say. Everything else in the folder relies on that.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fold/fold_engine.hpp"

namespace refrain::fold {
namespace {

constexpr uint64_t most_events = uint64_t{1} << 60;
constexpr uint32_t most_signatures = 1 << 20;
constexpr uint32_t most_parameters = trace::Signature::max_parameters;

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

/// Single events are written raw, whether or not they have been made nodes.
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

class NodeReader {
 public:
  NodeReader(ByteReader& in, const Residue& residue) : in_(in), residue_(residue) {}

  Owned read(uint8_t kind, uint32_t height_left) {
    uint64_t executions = in_.bounded(most_events, "too many executions");
    if (kind < event_node || kind > adaptive_loop) in_.fail("unknown kind of node");
    if (height_left == 0) in_.fail("loops nested too deeply");
    if (!in_.ok()) return nullptr;
    Owned node = kind == event_node ? read_event() : read_loop(kind, height_left);
    if (node) node->executions = executions;
    return node;
  }

 private:
  Owned read_event() {
    uint64_t signature = in_.bounded(residue_.shapes().size(), "unknown signature");
    if (!in_.ok() || !residue_.declared(static_cast<uint32_t>(signature))) {
      in_.fail("unknown signature");
      return nullptr;
    }
    const Shape& shape = residue_.shape(static_cast<uint32_t>(signature));
    if (shape.parameters > in_.left()) {
      in_.fail("unexpected end");
      return nullptr;
    }
    Owned node = make_event(static_cast<uint32_t>(signature), shape.bracket, shape.parameters);
    for (Stream& s : node->parameters) s = Stream::restore(in_);
    node->timing.gap = Histogram::read(in_);
    node->timing.communication = trace::Communication::read(in_);
    node->timing.duration = Histogram::read(in_);
    return node;
  }

  Owned read_loop(uint8_t kind, uint32_t height_left) {
    auto node = std::make_unique<LiveNode>();
    node->loop = true;
    node->merged = kind != loop_node;
    node->adaptive = kind == adaptive_loop;
    node->counts = Stream::restore(in_);
    size_t n = in_.count(3, "too many nodes");
    if (n == 0) in_.fail("empty loop");
    for (size_t i = 0; i < n && in_.ok(); ++i) {
      uint8_t child = in_.u8();
      node->body.push_back(read(child, height_left - 1));
    }
    if (!in_.ok()) return nullptr;
    rehash(*node);
    return node;
  }

  ByteReader& in_;
  const Residue& residue_;
};

/// Where the cursor stands, for nodes on its way.
struct Begun {
  uint32_t at;
  uint64_t iterations;
};

/// Whether the numbers in the subtree agree with `executions` of its root. `begun` are the frames from this
/// node inwards.
bool consistent(const LiveNode& node, uint64_t executions, std::span<const Begun> begun) {
  if (node.executions != executions) return false;
  if (!node.loop)
    return begun.empty() && std::all_of(node.parameters.begin(), node.parameters.end(),
                                        [&](const Stream& s) { return s.size() == executions; });
  auto total = node.counts.total_trips();
  if (!total || node.counts.size() != executions) return false;
  uint64_t iterations = *total;
  if (!begun.empty()) {
    iterations += begun[0].iterations;
    if (begun[0].at >= node.body.size() || (begun.size() > 1 && !node.body[begun[0].at]->loop)) return false;
  }
  for (size_t i = 0; i < node.body.size(); ++i) {
    bool ran = !begun.empty() && i < begun[0].at;
    bool inside = !begun.empty() && i == begun[0].at;
    if (!consistent(*node.body[i], iterations + ran, inside ? begun.subspan(1) : std::span<const Begun>{}))
      return false;
  }
  return true;
}

}  // namespace

void Engine::save(ByteWriter& out) const {
  out.varint(shapes().size());
  for (const Shape& shape : shapes()) {
    out.varint(shape.parameters);
    out.u8(static_cast<uint8_t>(static_cast<int>(shape.bracket) + 1));
  }
  for (uint64_t number : {events_, work_.steps, work_.cells, folds_, folds_at_try_ + 1, refine_at_, rest_,
                          next_rest_, rotated_.cycle, rotated_.start, rotated_.prefix})
    out.varint(number);
  std::vector<std::pair<uint64_t, uint64_t>> rotations(rotations_.begin(), rotations_.end());
  std::sort(rotations.begin(), rotations.end());
  out.varint(rotations.size());
  for (auto [cyclic, hash] : rotations) {
    out.u64(cyclic);
    out.u64(hash);
  }
  out.varint(residue_.size());
  for (size_t i = 0; i < residue_.size(); ++i) save_entry(out, residue_, residue_[i]);
  out.varint(frames_.size());
  for (const Frame& frame : frames_) {
    out.varint(frame.at);
    out.varint(frame.iterations);
  }
}

void Engine::restore(ByteReader& in) {
  size_t n = in.count(2, "too many signatures");
  if (n > most_signatures) in.fail("too many signatures");
  for (uint32_t s = 0; s < n && in.ok(); ++s) {
    auto parameters = static_cast<uint32_t>(in.bounded(most_parameters, "too many parameters"));
    auto bracket = static_cast<int>(in.bounded(2, "unknown bracket")) - 1;
    if (in.ok()) declare(s, {parameters, static_cast<trace::Bracket>(bracket)});
  }
  for (uint64_t* number : {&events_, &work_.steps, &work_.cells, &folds_, &folds_at_try_, &refine_at_, &rest_,
                           &next_rest_, &rotated_.cycle, &rotated_.start, &rotated_.prefix})
    *number = in.varint();
  --folds_at_try_;
  for (uint64_t number : {events_, work_.steps, work_.cells, refine_at_, rest_, next_rest_})
    if (number > most_events) in.fail("counter out of range");
  size_t rotations = in.count(16, "too many rotations");
  if (rotations > known_rotations) in.fail("too many rotations");
  for (size_t i = 0; i < rotations && in.ok(); ++i) {
    uint64_t cyclic = in.u64();
    rotations_[cyclic] = in.u64();
  }
  restore_residue(in);
  if (in.ok()) restore_frames(in);
}

void Engine::restore_residue(ByteReader& in) {
  NodeReader nodes(in, residue_);
  std::vector<int64_t> values;
  size_t n = in.count(3, "too many nodes");
  for (size_t i = 0; i < n && in.ok(); ++i) {
    uint8_t kind = in.u8();
    if (kind == event_node) in.fail("single event that isn't raw");
    if (kind != raw_event && kind != communicating_event) {
      Owned node = nodes.read(kind, max_height + 1);
      if (in.ok()) residue_.push_node(std::move(node));
      continue;
    }
    uint64_t signature = in.varint();
    if (signature >= shapes().size()) in.fail("unknown signature");
    if (!in.ok()) return;
    values.resize(shapes()[signature].parameters);
    for (int64_t& v : values) v = in.svarint();
    Times times{.gap_ns = in.varint(), .duration_ns = in.varint()};
    trace::Communication communication;
    if (kind == communicating_event) {
      communication = trace::Communication::read(in);
      times.communication = &communication;
    }
    if (in.ok()) residue_.push_event(static_cast<uint32_t>(signature), values.data(), times);
  }
}

void Engine::restore_frames(ByteReader& in) {
  size_t n = in.count(2, "too many frames");
  std::vector<Begun> begun;
  for (size_t i = 0; i < n && in.ok(); ++i) {
    auto at = static_cast<uint32_t>(in.bounded(UINT32_MAX, "bad position"));
    begun.push_back({at, in.bounded(most_events, "too many iterations")});
  }
  if (n > max_height || (n > 0 && (residue_.size() == 0 || !residue_.is_loop(residue_.size() - 1))))
    in.fail("no loop to be in");
  for (size_t i = 0; i < residue_.size() && in.ok(); ++i) {
    bool open = n > 0 && i + 1 == residue_.size();
    std::span<const Begun> inside = open ? std::span<const Begun>(begun) : std::span<const Begun>{};
    if (residue_[i].node && !consistent(*residue_[i].node, open ? 0 : 1, inside))
      in.fail("numbers of executions disagree");
  }
  if (!in.ok() || n == 0) return;
  LiveNode* loop = residue_[residue_.size() - 1].node.get();
  for (const Begun& b : begun) {
    frames_.push_back({loop, b.at, b.iterations});
    loop = loop->body[b.at].get();
  }
  expect();
}

}  // namespace refrain::fold
