// What merging looks at when it decides which nodes of two ranks are the same: structure only, never values.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::merge {

/// A node as alignment sees it.
struct Shape {
  uint64_t hash = 0;  ///< equal for equal structure
  uint64_t key = 0;   ///< the hash of what is inside loops around a single node: `x` and `loop { x }` agree
  uint64_t functions = 0;   ///< a bit per signature inside, hashed
  uint64_t collective = 0;  ///< the same for calls that all ranks make together
  uint32_t leaves = 0;      ///< events inside
  uint32_t height = 0;      ///< levels of nesting inside
  bool loop = false;
  bool pinned = false;           ///< refers to a sibling, or is referred to: must stay in its list
  std::vector<uint64_t> body{};  ///< of a loop around several nodes: their keys
};

/// Knows the signatures that the trees refer to. The table must outlive it.
class Shapes {
 public:
  explicit Shapes(const std::vector<trace::Signature>& signatures) : signatures_(signatures) { extend(); }
  /// To be called when the table has grown.
  void extend();
  /// Number of signatures that it knows.
  size_t known() const { return collective_.size(); }

  /// All nodes of a list.
  std::vector<Shape> of(const std::vector<trace::Node>& list) const;
  /// Shape::key of a node.
  uint64_t key_of(const trace::Node& node) const { return outline(node).key; }

 private:
  /// All of a shape but `pinned` and `body`: allocates nothing.
  Shape outline(const trace::Node& node) const;

  const std::vector<trace::Signature>& signatures_;
  std::vector<bool> collective_;
};

/// Whether both have the same structure: kinds, signatures, bodies. O(nodes), allocates nothing.
bool same_structure(const trace::Node& a, const trace::Node& b);
bool same_structure(const std::vector<trace::Node>& a, const std::vector<trace::Node>& b);

/// Whether two loops have enough in common to be merged although their bodies differ: half of their
/// functions, or a collective call, which must not end up in two loops.
bool similar(const Shape& a, const Shape& b);

}  // namespace refrain::merge
