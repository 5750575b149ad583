// Values in loops, as lists over the index of one of them: what values of different forms have in common. A
// call that is made once in a small run and in a loop in a large one has a number in the one and a list in
// the other.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "extrapolate/lists.hpp"

namespace refrain::extrapolate {

/// The loops around what is being looked at, outermost first.
class Loops {
 public:
  void enter(trace::Value count, trace::RankSet ranks) {
    loops_.emplace_back(std::move(count), std::move(ranks));
  }
  void leave() { loops_.pop_back(); }
  size_t size() const { return loops_.size(); }
  /// How often loop number `d` turns, each time, at a place; nothing if that isn't always the same.
  std::optional<int64_t> count(size_t d, uint32_t place) const;

 private:
  std::vector<std::pair<trace::Value, trace::RankSet>> loops_;
};

/// slopes·indices + list[index[depth]]
struct ListedValue {
  uint32_t depth = 0;
  std::vector<Sequence> slopes{};   ///< by depth; empty at `depth`, and where no place knows one
  std::vector<PlacedList> lists{};  ///< by place; as long as the loop turns there
};

/// The value as lists over the index of a loop. Nothing if it has another form at some place, or lists that
/// are too long.
std::optional<ListedValue> listed(const trace::Value& v, const trace::RankSet& ranks, const Unified& unified,
                                  const Loops& loops);

}  // namespace refrain::extrapolate
