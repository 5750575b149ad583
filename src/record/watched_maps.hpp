// The parts of memory whose stores are watched: shared, writable mappings of recorded files, as far as
// nothing else was mapped over them or unmapped from them since. A plain list that is claimed cell by cell,
// like MapTable: takes no locks, and few programs have more than a handful.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "record/recorded_handles.hpp"

namespace refrain::record {

/// Part of a mapping. Addresses are numbers: they are never followed.
struct WatchedMap {
  uint64_t begin = 0, end = 0;  ///< whole pages
  uint64_t base = 0;            ///< where the mapping begins, which offsets count from
  Handle handle{};
  uint64_t file = 0;     ///< tells files apart
  bool by_page = false;  ///< which pages are stored into can be seen; otherwise all may be
  bool outer = true;     ///< made by a call of the application's own
};

class WatchedMaps {
 public:
  static constexpr size_t size = 1024;
  /// False when there is no room.
  bool add(const WatchedMap& map);
  /// Nothing between the addresses is watched any more.
  void cut(uint64_t begin, uint64_t end);
  /// No part of this mapping is watched any more.
  void drop(Handle handle);
  /// Whether stores into this part can be seen page by page has changed.
  void lose_pages(uint64_t begin, uint64_t end);
  bool empty() const { return used_.load(std::memory_order_relaxed) == 0; }
  void clear();

  /// Calls `visit(map)` for what is watched between the addresses, in the order of handles and addresses, cut
  /// to that range. Parts that are added meanwhile may be left out.
  template <class Visit>
  void for_each(uint64_t begin, uint64_t end, Visit visit) const {
    WatchedMap last, next;
    for (bool first = true; find_next(begin, end, first ? nullptr : &last, next); first = false) {
      last = next;
      visit(next);
    }
  }

 private:
  struct Cell {
    std::atomic<uint64_t> begin;  ///< 0: free
    std::atomic<uint64_t> end, base, handle, file, flags;
  };
  static constexpr uint64_t by_page_flag = 1, outer_flag = 2;
  static WatchedMap read(const Cell& cell);
  static void release(Cell& cell);
  /// The first one behind `last` in the order of handles and addresses; nullptr: of all.
  bool find_next(uint64_t begin, uint64_t end, const WatchedMap* last, WatchedMap& next) const;
  Cell cells_[size] = {};
  std::atomic<size_t> used_{0};  ///< cells beyond were never used
};

}  // namespace refrain::record
