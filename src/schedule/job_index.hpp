// Jobs that wait, as points of nodes, load and time: which is the first that fits into what is free? See the
// essay in job_index.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/floor.hpp"

namespace refrain::schedule {

/// What a job needs, or what there is.
struct Room {
  uint32_t nodes = 0;
  Load load = 0;
  Time time = 0;
  bool holds(const Room& need) const { return need.nodes <= nodes && need.load <= load && need.time <= time; }
};

class JobIndex {
 public:
  /// What each job needs, by its position in the order in which jobs are preferred, and whether it is there
  /// from the beginning. O(n log n).
  JobIndex(const std::vector<Room>& needs, const std::vector<bool>& present);
  void set_present(uint32_t position, bool present);
  /// The first job present that fits.
  std::optional<uint32_t> first(const Room& room) const;

 private:
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr uint32_t leaf_size = 8;
  struct Entry {
    Room need{};
    uint32_t position = 0;
    bool present = false;
  };
  struct Box {
    Room least{UINT32_MAX, never, never};  ///< of those present
    Room most{};                           ///< of all
    uint32_t first = none;                 ///< of those present
    void include(const Box& other);
  };
  /// A part of the entries and the node of the tree that stands for it.
  struct Range {
    size_t node = 1;
    uint32_t begin = 0;
    uint32_t end = 0;
    bool is_leaf() const { return end - begin <= leaf_size; }
    uint32_t middle() const { return begin + (end - begin) / 2; }
    Range lower() const { return {2 * node, begin, middle()}; }
    Range upper() const { return {2 * node + 1, middle(), end}; }
  };

  Range whole() const { return {1, 0, static_cast<uint32_t>(entries_.size())}; }
  void build(const Range& range, int axis);
  void enclose(const Range& range);
  void update(const Range& range, uint32_t entry);
  void search(const Range& range, const Room& room, uint32_t& best) const;

  std::vector<Entry> entries_;
  std::vector<uint32_t> entry_of_;  ///< by position
  std::vector<Box> boxes_;          ///< by node
};

}  // namespace refrain::schedule
