// Runs a stream of a trace as a program: yields its events one by one, in order, with the values of their
// parameters. Memory is that of the tree, however many events there are. Trees of merged ranks are run one
// rank at a time (at_rank.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::trace {

class Expander {
 public:
  /// `nodes` must outlive the expander, and be those of a single rank. O(nodes).
  explicit Expander(const std::vector<Node>& nodes);
  ~Expander();
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;

  struct Event {
    const Node* node;
    std::span<const int64_t> parameters;  ///< valid until the next call
    size_t number = 0;                    ///< of the node: all nodes are numbered, breadth first
    size_t outermost = 0;                 ///< which of the nodes given holds it
  };
  /// The next event, or a null node at the end; O(1) amortized. A tree whose columns are too short for its
  /// loops, whose references don't resolve, whose numbers depend on the rank, or whose loops turn without
  /// any event, ends with `damaged()` set; it never reads out of bounds.
  Event next();
  bool damaged() const;
  /// How many steps were made besides events: loops entered, turned and left.
  uint64_t idle_steps() const;
  /// Indices of the loops around the event last returned, outermost first.
  std::span<const int64_t> indices() const;
  /// How often each of these loops turns.
  std::vector<int64_t> trips() const;
  /// The loop at `depth` around that event; null if there is none.
  const Node* loop(size_t depth) const;
  /// Whether all in the body of that loop is a function of indices alone, so that leap() may be called.
  bool may_leap(size_t depth) const;
  /// Moves that loop forward by so many turns, as if they had run; it must have them left.
  void leap(size_t depth, int64_t turns);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace refrain::trace
