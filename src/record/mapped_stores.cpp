// See mapped_stores.hpp.
#include "record/mapped_stores.hpp"

#include "base/hash.hpp"
#include "record/emit.hpp"
#include "record/look.hpp"
#include "record/watched_maps.hpp"
#include "record/written_pages.hpp"

namespace refrain::record {
namespace {

constinit WatchedMaps watched;
/// The process is a kernel and says itself what it has stored into, so that nothing need be guessed.
std::atomic<bool> told{false};

struct Range {
  uint64_t begin, end;  ///< whole pages
};

constexpr Range everywhere{0, ~uint64_t{0}};

Range pages_of(const void* address, size_t length) {
  uint64_t page = page_bytes(), begin = reinterpret_cast<uint64_t>(address), end;
  if (__builtin_add_overflow(begin, length, &end) || end > everywhere.end - page) end = everywhere.end - page;
  return {begin & ~(page - 1), (end + page - 1) & ~(page - 1)};
}

struct Demand {
  const void* site = nullptr;
  bool asked = false;      ///< by a kernel, which has stored into all of it
  bool somewhere = false;  ///< and where the program did isn't known
};

/// Adds the events of one part of a mapping.
class Settling {
 public:
  Settling(Lane& lane, const WatchedMap& map, const Demand& demand)
      : lane_(lane), map_(map), demand_(demand) {}

  void run() {
    uint64_t known = map_.begin;
    if (map_.by_page) {
      auto visit = [](void* self, uint64_t begin, uint64_t end) {
        auto* settling = static_cast<Settling*>(self);
        if (!settling->demand_.somewhere) settling->add(api::RowId::posix_stored, begin, end);
      };
      known = take_written_pages(map_.begin, map_.end, visit, this);
    }
    if (known < map_.end) watched.lose_pages(known, map_.end);
    if (demand_.somewhere) known = map_.begin;
    if (known >= map_.end) return;
    if (told.load(std::memory_order_relaxed) && !demand_.asked) return;
    uint64_t end = end_of_file_in(known, map_.end);
    if (known < end) add(api::RowId::posix_stored_somewhere, known, end);
  }

 private:
  void add(api::RowId row, uint64_t begin, uint64_t end) {
    uint64_t now = ticks();
    auto bytes = static_cast<int64_t>(end - begin);
    emit(
        lane_, row,
        Outcome{.site = demand_.site,
                .outer = lane_.depth == 0 && map_.outer,
                .start_ticks = now,
                .end_ticks = now},
        [&](auto& v) {
          v.slot(map_.handle);
          v.integer(Role::offset, static_cast<int64_t>(begin - map_.base));
          v.integer(Role::size, bytes);
        },
        [&](auto& v) { v.integer(Role::bytes_written, bytes); });
  }

  Lane& lane_;
  const WatchedMap& map_;
  const Demand& demand_;
};

/// The system can't be asked where calls of it are restricted.
void settle_part(Lane& lane, const WatchedMap& part, const Demand& demand) {
  if (raw::forbidden.load(std::memory_order_relaxed))
    count_lost(&PartHeader::lost_unknown, lane);
  else
    Settling(lane, part, demand).run();
}

constexpr uint64_t any_file = 0;

uint64_t file_behind(const struct stat& info) { return hash_combine(info.st_dev, info.st_ino) | 1; }

void settle(Lane& lane, Range range, uint64_t file, const Demand& demand, const char* frame) {
  Busy busy(lane, frame);
  Aside aside(lane);
  watched.for_each(range.begin, range.end, [&](const WatchedMap& part) {
    if (file == any_file || file == part.file) settle_part(lane, part, demand);
  });
}

}  // namespace

void watch_stores(Handle map, const void* address, size_t length, int protection, int flags, int fd,
                  bool outer) {
  bool shared_map = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  struct stat info;
  if (!map.tracked() || !shared_map || (protection & PROT_WRITE) == 0 || !layer_enabled(Layer::posix)) return;
  if (raw::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return;
  Range range = pages_of(address, length);
  watched.add({.begin = range.begin,
               .end = range.end,
               .base = range.begin,
               .handle = map,
               .file = file_behind(info),
               .by_page = watch_pages(range.begin, range.end),
               .outer = outer});
}

void settle_stores(Lane& lane, const void* address, size_t length, Settler by) {
  if (!watched.empty()) settle(lane, pages_of(address, length), any_file, {.site = by.site}, by.frame);
}

void settle_stores_of(Lane& lane, int fd, Settler by) {
  if (watched.empty()) return;
  KeepErrno keep;
  struct stat info;
  if (raw::fstat(fd, &info) == 0) settle(lane, everywhere, file_behind(info), {.site = by.site}, by.frame);
}

void settle_all_stores() {
  if (watched.empty() || !recording()) return;
  auto* frame = static_cast<const char*>(__builtin_frame_address(0));
  Lane* lane = enter(frame);
  if (lane == nullptr) return;
  settle(*lane, everywhere, any_file, {}, frame);
}

void note_stores(const void* address, size_t length, bool somewhere, Settler by) {
  Lane* lane = enter(by.frame);
  if (lane == nullptr) return;
  told.store(true, std::memory_order_relaxed);
  Demand demand{.site = by.site, .asked = true, .somewhere = somewhere};
  settle(*lane, pages_of(address, length), any_file, demand, by.frame);
}

void end_map(Lane& lane, Handle map) {
  if (!map.tracked()) return;
  watched.for_each(everywhere.begin, everywhere.end, [&](const WatchedMap& part) {
    if (part.handle.pack() == map.pack()) settle_part(lane, part, {});
  });
  watched.drop(map);
  free_slot(map);
}

void forget_stores(const void* address, size_t length) {
  if (watched.empty()) return;
  Range range = pages_of(address, length);
  watched.cut(range.begin, range.end);
}

void forget_all_stores() {
  watched.clear();
  told.store(false, std::memory_order_relaxed);
  stop_watching_pages();
}

}  // namespace refrain::record
