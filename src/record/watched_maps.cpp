// See watched_maps.hpp.
#include "record/watched_maps.hpp"

#include <algorithm>
#include <utility>

namespace refrain::record {

namespace {

std::pair<uint64_t, uint64_t> place_in_order(const WatchedMap& map) { return {map.handle.pack(), map.begin}; }

}  // namespace

bool WatchedMaps::add(const WatchedMap& map) {
  if (map.begin == 0 || map.begin >= map.end) return false;
  for (size_t i = 0; i < size; ++i) {
    uint64_t none = 0;
    if (!cells_[i].begin.compare_exchange_strong(none, map.begin, std::memory_order_acq_rel)) continue;
    cells_[i].base.store(map.base, std::memory_order_relaxed);
    cells_[i].handle.store(map.handle.pack(), std::memory_order_relaxed);
    cells_[i].file.store(map.file, std::memory_order_relaxed);
    cells_[i].flags.store((map.by_page ? by_page_flag : 0) | (map.outer ? outer_flag : 0),
                          std::memory_order_relaxed);
    cells_[i].end.store(map.end, std::memory_order_release);
    size_t used = used_.load(std::memory_order_relaxed);
    while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
    }
    return true;
  }
  return false;
}

WatchedMap WatchedMaps::read(const Cell& cell) {
  uint64_t end = cell.end.load(std::memory_order_acquire), flags = cell.flags.load(std::memory_order_relaxed);
  return {.begin = cell.begin.load(std::memory_order_relaxed),
          .end = end,
          .base = cell.base.load(std::memory_order_relaxed),
          .handle = Handle::unpack(cell.handle.load(std::memory_order_relaxed)),
          .file = cell.file.load(std::memory_order_relaxed),
          .by_page = (flags & by_page_flag) != 0,
          .outer = (flags & outer_flag) != 0};
}

void WatchedMaps::cut(uint64_t begin, uint64_t end) {
  for (size_t i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
    WatchedMap map = read(cells_[i]);
    if (map.begin == 0 || map.end <= begin || end <= map.begin) continue;
    WatchedMap behind = map;
    behind.begin = end;
    if (map.begin < begin)
      cells_[i].end.store(begin, std::memory_order_release);
    else
      release(cells_[i]);
    if (behind.begin < behind.end) add(behind);
  }
}

void WatchedMaps::drop(Handle handle) {
  for (size_t i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
    WatchedMap map = read(cells_[i]);
    if (map.begin != 0 && map.handle.pack() == handle.pack()) release(cells_[i]);
  }
}

void WatchedMaps::release(Cell& cell) {
  cell.end.store(0, std::memory_order_relaxed);
  cell.begin.store(0, std::memory_order_release);
}

void WatchedMaps::lose_pages(uint64_t begin, uint64_t end) {
  for (size_t i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
    WatchedMap map = read(cells_[i]);
    if (map.begin != 0 && begin < map.end && map.begin < end)
      cells_[i].flags.fetch_and(~by_page_flag, std::memory_order_relaxed);
  }
}

void WatchedMaps::clear() {
  for (Cell& cell : cells_) release(cell);
  used_.store(0, std::memory_order_relaxed);
}

bool WatchedMaps::find_next(uint64_t begin, uint64_t end, const WatchedMap* last, WatchedMap& next) const {
  bool found = false;
  for (size_t i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
    WatchedMap map = read(cells_[i]);
    map.begin = std::max(map.begin, map.begin == 0 ? 0 : begin);
    map.end = std::min(map.end, end);
    if (map.begin == 0 || map.begin >= map.end) continue;
    if (last != nullptr && place_in_order(map) <= place_in_order(*last)) continue;
    if (found && place_in_order(next) <= place_in_order(map)) continue;
    next = map;
    found = true;
  }
  return found;
}

}  // namespace refrain::record
