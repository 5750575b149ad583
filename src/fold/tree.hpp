// The nodes of a trace while it is being folded: like trace::Node, but every integer is still a stream of
// the values seen so far, and every node knows a hash of its structure. Arguments and trip counts are not
// part of that hash: loops are found on signatures alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/hash.hpp"
#include "fold/shape.hpp"
#include "fold/stream.hpp"
#include "trace/trace.hpp"

namespace refrain::fold {

/// No tree grows higher, so recursion over it is bounded.
constexpr uint32_t max_height = 24;

struct LiveNode;
using Owned = std::unique_ptr<LiveNode>;
using Sequence = std::vector<Owned>;

struct LiveNode {
  bool loop = false;
  bool merged = false;      ///< a loop with iterations that were aligned to it
  bool adaptive = false;    ///< a merged loop that absorbs irregular iterations at once
  uint32_t height = 0;      ///< 0 for an event
  uint32_t signature = 0;   ///< event
  uint32_t closes = 0;      ///< handles closed that weren't opened inside
  uint32_t opens = 0;       ///< handles opened that aren't closed inside
  uint32_t leaves = 1;      ///< events in the subtree
  uint32_t cost = 0;        ///< rough bytes of its description
  uint64_t hash = 0;        ///< structure
  uint64_t body_hash = 0;   ///< polynomial hash of the body, comparable with those of the residue
  uint64_t key = 0;         ///< hash below loops around a single node: X, {X} and {{X}} are alike
  uint64_t bloom = 0;       ///< set of signatures, one bit each
  uint64_t executions = 0;  ///< times it was reached
  std::vector<Stream> parameters;
  Stream counts;
  Sequence body;
  trace::Timing timing;
};

inline void add_times(LiveNode& node, const Times& times) {
  node.timing.gap.add(times.gap_ns);
  node.timing.duration.add(times.duration_ns);
  if (times.communication != nullptr) [[unlikely]]
    node.timing.communication.add(*times.communication);
}

constexpr uint64_t sequence_base = 0x9e3779b97f4a7c15ULL;
constexpr uint64_t event_hash(uint32_t signature) { return mix64(uint64_t{signature} * 2 + 1); }

constexpr uint64_t bloom_of(uint32_t signature) {
  return uint64_t{1} << (mix64(uint64_t{signature} + 77) & 63);
}

/// Brackets of a sequence, reduced to `closes` closing ones followed by `opens` opening ones.
struct Brackets {
  uint32_t closes = 0, opens = 0;
  void then(uint32_t more_closes, uint32_t more_opens) {
    uint32_t matched = opens < more_closes ? opens : more_closes;
    closes += more_closes - matched;
    opens = opens - matched + more_opens;
  }
};

Owned make_event(uint32_t signature, trace::Bracket bracket, uint32_t parameters);
/// A loop around `body`, entered `entries` times, one iteration each.
Owned wrap(Sequence body, uint64_t entries);
Owned wrap(Owned node, uint64_t entries);
/// Recomputes what depends on the structure of the node's direct children.
void rehash(LiveNode& node);

/// Whether two nodes really have the same structure, whatever their hashes say.
bool same_structure(const LiveNode& a, const LiveNode& b);
/// Appends the executions of `b`, which has the same structure, to those of `a`.
void append(LiveNode& a, const LiveNode& b, uint64_t& work);
/// Splits off the last `n` executions.
Owned extract_last(LiveNode& node, uint64_t n, uint64_t& work);
Owned clone(const LiveNode& node);

/// Adds one execution to `out` as it would have been recorded without loops that didn't help: loops that
/// ran zero times vanish, loops that ran once are replaced by their body.
void flatten(Owned node, Sequence& out);

/// Takes out what never ran: an iteration that was taken back may leave events behind that only it had, in
/// loops that turn no more.
void drop_idle(Sequence& nodes);

/// Sets the trip count of a loop that is entered once.
void set_trips(LiveNode& loop, uint64_t trips);
inline uint64_t trips(const LiveNode& loop) { return static_cast<uint64_t>(loop.counts.back()); }

size_t memory(const LiveNode& node);

}  // namespace refrain::fold
