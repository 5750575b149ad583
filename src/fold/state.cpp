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

#include "fold/entry_code.hpp"
#include "fold/fold_engine.hpp"

namespace refrain::fold {
namespace {

constexpr uint32_t most_signatures = 1 << 20;
constexpr uint32_t most_parameters = trace::Signature::max_parameters;

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
  out.u8(resting_ ? 1 : 0);
  out.varint(kept_entries_);
  out.varint(kept_.size());
  out.raw(kept_.bytes());
}

void Engine::restore(ByteReader& in, bool older) {
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
  if (in.ok() && !older) restore_kept(in);
}

void Engine::restore_residue(ByteReader& in) {
  EntryReader entries(in, residue_);
  size_t n = in.count(3, "too many nodes");
  for (size_t i = 0; i < n && in.ok(); ++i) {
    if (!entries.next()) return;
    if (entries.node)
      residue_.push_node(std::move(entries.node));
    else
      residue_.push_event(entries.signature, entries.values.data(), entries.times);
  }
}

/// What is put by stays bytes; they are looked at once.
void Engine::restore_kept(ByteReader& in) {
  resting_ = in.bounded(1, "bad flag") != 0;
  // What is kept comes before the residue, and is taken up where that is empty.
  if (resting_ && residue_.size() > 0) return in.fail("a residue while resting");
  kept_entries_ = in.bounded(most_events, "too many entries");
  std::span<const uint8_t> bytes = in.raw(in.varint());
  if (!in.ok()) return;
  ByteReader kept(bytes);
  EntryReader entries(kept, residue_);
  for (uint64_t i = 0; i < kept_entries_ && kept.ok(); ++i)
    if (entries.next() && entries.node && !consistent(*entries.node, 1, {}))
      kept.fail("numbers of executions disagree");
  if (!kept.ok() || kept.left() > 0) return in.fail("bad entries");
  kept_.raw(bytes);
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
