// Loops in which nothing is opened, closed or moved about: the same accesses in every turn, each time by the
// same distance further on. Their turns need not be run one by one to know what they add up to.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "measure/access_rule.hpp"
#include "measure/file_rule.hpp"
#include "measure/selection_rule.hpp"
#include "trace/trace.hpp"

namespace refrain::measure {

struct QuietLoop {
  struct Call {
    const trace::Node* node;
    uint64_t per_turn;  ///< executions in each turn
  };
  /// What the accesses through one handle do in each turn.
  struct Mover {
    const trace::Node* node;  ///< one of them
    int64_t slot;             ///< number of the handle
    int64_t shift;            ///< how far they move on
    bool implicit;            ///< they begin where the handle stands
    uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
  };
  const trace::Node* first = nullptr;  ///< the call that each turn begins with
  bool nested = false;                 ///< has loops in it
  bool selects = false;                ///< has calls that select parts of arrays, or move them
  /// A handle: number of its kind, slot.
  using Handle = std::pair<uint32_t, int64_t>;
  std::set<Handle> found{};  ///< what is selected through it was not selected in the turn itself
  std::set<Handle> set{};    ///< what is selected through it was
  std::vector<Call> calls{};
  std::vector<Mover> movers{};

  /// The accesses through the handle that a call has; null if there are none.
  const Mover* mover(const AccessRule& rule, int64_t slot, const std::vector<AccessRule>& rules) const;
};

/// Says of the loops of a tree whether they are quiet. Trees must be those of one rank, and stay where they
/// are.
class QuietLoops {
 public:
  QuietLoops(const std::vector<AccessRule>& accesses, const std::vector<FileRule>& files,
             const std::vector<SelectionRule>& selections)
      : accesses_(accesses), files_(files), selections_(selections) {}

  /// `depth`: how many loops are around the loop. Null if it isn't quiet.
  const QuietLoop* find(const trace::Node& loop, size_t depth);
  void clear() { known_.clear(); }

 private:
  bool add(QuietLoop& quiet, const std::vector<trace::Node>& nodes, size_t depth, uint64_t per_turn);
  bool add_call(QuietLoop& quiet, const trace::Node& node, size_t depth, uint64_t per_turn);
  bool selects_evenly(QuietLoop& quiet, const trace::Node& node) const;
  bool add_access(QuietLoop& quiet, const trace::Node& node, size_t depth, uint64_t per_turn);

  const std::vector<AccessRule>& accesses_;
  const std::vector<FileRule>& files_;
  const std::vector<SelectionRule>& selections_;
  std::unordered_map<const trace::Node*, std::optional<QuietLoop>> known_;
};

}  // namespace refrain::measure
