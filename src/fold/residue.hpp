// The list of what has been recorded and not been folded further: single events and closed loops, in
// order. It answers in O(1) whether two stretches of it have equal structure, and where the node just
// added occurred before.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fold/shape.hpp"
#include "fold/tree.hpp"

namespace refrain::fold {

/// Position of the last node with a given hash: an open-addressing table that forgets nothing it is told
/// to keep. Unknown keys read as -1.
class PositionMap {
 public:
  /// Valid until the next call.
  int32_t& operator[](uint64_t key);
  size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t position = -1;
    bool used = false;
  };
  void grow();
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

class Residue {
 public:
  struct Entry {
    uint64_t hash = 0;
    uint64_t prefix = 0;                   ///< polynomial hash of everything before this entry
    uint64_t digrams = 0;                  ///< sum over the pairs of neighbors up to this entry
    uint64_t gram = 0;                     ///< hash of this entry and the three before it
    uint64_t gap_ns = 0, duration_ns = 0;  ///< of a raw event
    size_t offset = 0;                     ///< of a raw event: its parameters
    Owned node;                            ///< null: a raw event
    uint32_t signature = 0;
    int32_t previous = -1;       ///< last entry with the same hash
    int32_t previous_gram = -1;  ///< last entry that fell on the same place of the gram table
  };

  void declare(uint32_t signature, Shape shape);
  bool declared(uint32_t signature) const { return signature < shapes_.size(); }
  const Shape& shape(uint32_t signature) const { return shapes_[signature]; }
  const std::vector<Shape>& shapes() const { return shapes_; }

  size_t size() const { return entries_.size(); }
  const Entry& operator[](size_t i) const { return entries_[i]; }
  const int64_t* raw_parameters(const Entry& entry) const { return raw_.data() + entry.offset; }
  /// Positions of the entries that are loops.
  const std::vector<uint32_t>& loops() const { return loops_; }
  bool is_loop(size_t i) const { return entries_[i].node && entries_[i].node->loop; }

  void push_event(uint32_t signature, const int64_t* parameters, const Times& times);
  /// A single event is kept raw, which takes a fraction of the memory.
  void push_node(Owned node);
  /// Removes the last entry and returns it as a node.
  Owned pop();
  /// The entry as a node; a raw event becomes one.
  LiveNode& node(size_t i);
  /// Hands over the node of an entry that has one; good for nothing then but to be thrown away.
  Owned give(size_t i) { return std::move(entries_[i].node); }
  /// Removes everything from `from` on and returns it.
  Sequence take(size_t from);

  /// Polynomial hash of [from, to). O(1) amortized.
  uint64_t hash(size_t from, size_t to);
  /// Hash of [from, to) that is the same for all its rotations.
  uint64_t cyclic_hash(size_t from, size_t to) const;
  /// `start` is set to the distance from `from` at which the sequence should begin: after the last closing
  /// bracket that wasn't opened in it.
  Brackets brackets(size_t from, size_t to, size_t& start) const;
  /// Whether [a, a+n) and [b, b+n) have the same structure, node by node.
  bool same(size_t a, size_t b, size_t n) const;
  bool same(size_t i, const LiveNode& node) const;

  size_t memory() const;

 private:
  static constexpr size_t gram_slots = 1 << 13;
  int32_t& last_position(const Entry& entry);
  void push(Entry entry);
  Owned make_node(const Entry& entry) const;

  std::vector<Shape> shapes_;
  std::vector<int32_t> last_event_;  ///< by signature
  PositionMap last_loop_;
  std::vector<Entry> entries_;
  std::vector<int64_t> raw_;
  std::vector<uint32_t> loops_;
  std::vector<int32_t> grams_;
  std::vector<uint64_t> powers_{1};
  std::vector<int64_t> values_;  ///< used by push_node only
};

}  // namespace refrain::fold
