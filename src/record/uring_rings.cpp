// See uring_rings.hpp.
#include "record/uring_rings.hpp"

#include <cerrno>
#include <new>

#include "record/emit.hpp"
#include "record/look.hpp"
#include "record/readable_memory.hpp"

namespace refrain::record {
namespace {

constexpr size_t most_rings = 256;
std::atomic<RecordedRing*> rings[most_rings];
std::atomic<uint64_t> rings_era{0};

/// A child has its parent's rings in memory, and no use for what is remembered of them.
void forget_other_eras() {
  uint64_t era = process_era();
  if (rings_era.exchange(era, std::memory_order_relaxed) == era) return;
  for (auto& ring : rings)
    if (RecordedRing* known = ring.load(std::memory_order_relaxed)) known->abandon();
}

/// Calls `use` for each until it returns true, and returns that one.
template <class Use>
RecordedRing* find(Use use) {
  forget_other_eras();
  for (auto& place : rings) {
    RecordedRing* ring = place.load(std::memory_order_acquire);
    if (ring == nullptr) return nullptr;  // they are added in order, and stay
    if (use(*ring)) return ring;
  }
  return nullptr;
}

/// The first that is wanted and that no other thread has.
template <class Wanted>
RecordedRing* find_locked(const Lane& lane, Wanted wanted) {
  return find([&](RecordedRing& ring) {
    if (!wanted(ring) || !ring.lock(lane)) return false;
    if (wanted(ring)) return true;
    ring.unlock();
    return false;
  });
}

}  // namespace

uint64_t known_rings() {
  uint64_t count = 0;
  find([&](const RecordedRing& ring) {
    count += ring.is_free() ? 0 : 1;
    return false;
  });
  return count;
}

bool RecordedRing::lock(const Lane& lane) {
  constexpr int tries = 1000;
  for (int i = 0; i < tries; ++i) {
    uint32_t nobody = 0;
    if (owner_.compare_exchange_weak(nobody, lane.number() + 1u, std::memory_order_acquire)) return true;
  }
  return false;
}

void RecordedRing::begin(const io_uring& io, Handle handle) {
  constexpr uint32_t wide = 1u << 11;  // IORING_SETUP_CQE32
  handle_ = handle;
  completions_ = io.cq;
  wide_completions_ = (io.flags & wide) != 0;
  entries_seen_ = io.sq.sqe_head;
  taken_ = *io.cq.khead;
  in_flight_count_ = unknown_ = file_count_ = buffer_count_ = 0;
  opening_.store(0, std::memory_order_relaxed);
  waited_ticks_.store(0, std::memory_order_relaxed);
  entries_.store(io.sq.sqes, std::memory_order_release);
}

void RecordedRing::end() {
  entries_.store(nullptr, std::memory_order_release);
  for (uint32_t i = 0; i < in_flight_count_; ++i) free_slot(in_flight_[i].opens);
  in_flight_count_ = 0;
  opening_.store(0, std::memory_order_relaxed);
}

void RecordedRing::abandon() {
  in_flight_count_ = 0;
  end();
  unlock();
}

void RecordedRing::note(const InFlight& entry) {
  if (in_flight_count_ == most_in_flight) {
    free_slot(entry.opens);
    ++unknown_;
    return;
  }
  in_flight_[in_flight_count_++] = entry;
  if (entry.opens.tracked()) opening_.fetch_add(1, std::memory_order_relaxed);
}

const io_uring_cqe& RecordedRing::completion(uint32_t number) const {
  return completions_.cqes[(number & *completions_.kring_mask) << wide_completions_];
}

/// What a completion says about the entry that it belongs to. True if a file was opened that is recorded.
/// Where several entries in flight have the same user data, it isn't known which of them it is: none of them
/// opens a known file then.
bool RecordedRing::complete(const io_uring_cqe& completion) {
  constexpr uint32_t more_follow = 1u << 1;  // IORING_CQE_F_MORE
  uint32_t found = in_flight_count_, same = 0;
  bool any_will_do = !is_opening();
  for (uint32_t i = 0; i < in_flight_count_ && !(any_will_do && same > 0); ++i)
    if (in_flight_[i].user_data == completion.user_data) found = i, ++same;
  if (same == 0 || (completion.flags & more_follow) != 0) {
    if (same == 0 && unknown_ > 0) --unknown_;
    return false;
  }
  for (uint32_t i = 0; same > 1 && i < in_flight_count_; ++i) {
    InFlight& other = in_flight_[i];
    if (other.user_data != completion.user_data || !other.opens.tracked()) continue;
    free_slot(other.opens);
    other.opens = Handle();
    opening_.fetch_sub(1, std::memory_order_relaxed);
  }
  InFlight entry = in_flight_[found];
  in_flight_[found] = in_flight_[--in_flight_count_];
  if (!entry.opens.tracked()) return false;
  opening_.fetch_sub(1, std::memory_order_relaxed);
  if (completion.res < 0) {
    free_slot(entry.opens);
    return false;
  }
  name_promised_fd(completion.res, entry.opens, entry.verdict);
  return true;
}

RecordedRing::Taken RecordedRing::take(const io_uring& io) {
  constexpr uint64_t of_library = ~uint64_t{0};  // a timeout that liburing submits itself, on old systems
  Taken all{.waited_ticks = waited_ticks_.exchange(0, std::memory_order_relaxed)};
  uint32_t head = __atomic_load_n(io.cq.khead, __ATOMIC_RELAXED);
  uint32_t places = *io.cq.kring_entries;
  for (; taken_ != head; ++taken_) {
    io_uring_cqe seen{};
    __builtin_memcpy(&seen, &completion(taken_), 16);
    bool overwritten = __atomic_load_n(io.cq.ktail, __ATOMIC_ACQUIRE) - taken_ > places;
    if (overwritten) {
      ++all.completions;
      continue;
    }
    if (seen.user_data == of_library && seen.res == -ETIME) continue;
    ++all.completions;
    all.failed += seen.res < 0;
    all.opened += complete(seen);
  }
  return all;
}

bool RecordedRing::has_opened(int fd) {
  // A program may have unmapped the ring by itself.
  size_t bytes = sizeof(io_uring_cqe) << wide_completions_;
  if (!readable(completions_.ktail, sizeof *completions_.ktail) || !readable(completions_.kring_mask, 8) ||
      !readable(completions_.cqes, (*completions_.kring_mask + size_t{1}) * bytes))
    return false;
  uint32_t tail = __atomic_load_n(completions_.ktail, __ATOMIC_ACQUIRE);
  uint32_t places = *completions_.kring_entries;
  uint32_t first = tail - taken_ > places ? tail - places : taken_;
  for (uint32_t i = first; i != tail; ++i) {
    io_uring_cqe seen{};
    __builtin_memcpy(&seen, &completion(i), 16);
    if (seen.res != fd) continue;
    for (uint32_t k = 0; k < in_flight_count_; ++k) {
      bool opens = in_flight_[k].opens.tracked() && in_flight_[k].user_data == seen.user_data;
      if (opens) return complete(seen);
    }
  }
  return false;
}

void RecordedRing::set_files(uint32_t first, const int* files, uint32_t count) {
  for (uint32_t i = 0; i < count && first + i < most_files; ++i)
    files_[first + i] = {files == nullptr ? -1 : files[i],
                         files == nullptr ? Handle() : shared.descriptors.get(files[i])};
  uint32_t end = first + count < most_files ? first + count : most_files;
  if (file_count_ < end) file_count_ = end;
}

bool knows_ring(const io_uring& io) {
  return find([&](const RecordedRing& ring) { return ring.is(io); }) != nullptr;
}

RecordedRing* find_ring(const Lane& lane, const io_uring& io) {
  return find_locked(lane, [&](const RecordedRing& ring) { return ring.is(io); });
}

RecordedRing* add_ring(Lane& lane, const io_uring& io) {
  RecordedRing* ring = find_locked(lane, [](const RecordedRing& one) { return one.is_free(); });
  if (ring == nullptr) {
    void* memory = raw::map_memory(sizeof(RecordedRing));
    if (memory == nullptr) return nullptr;
    ring = new (memory) RecordedRing;
    ring->lock(lane);
    size_t place = 0;
    for (RecordedRing* none = nullptr; place < most_rings; ++place, none = nullptr)
      if (rings[place].compare_exchange_strong(none, ring, std::memory_order_acq_rel)) break;
    if (place == most_rings) {
      raw::unmap(memory, sizeof(RecordedRing));
      return nullptr;
    }
  }
  ring->begin(io, fresh_slot(lane, HandleClass::ring));
  return ring;
}

bool opened_by_ring(Lane& lane, int fd) {
  RecordedRing* found = find([&](RecordedRing& ring) {
    if (ring.is_free() || !ring.is_opening()) return false;
    bool locked = ring.is_locked_by(lane);
    if (!locked && !ring.lock(lane)) return false;
    bool opened = !ring.is_free() && ring.has_opened(fd);
    if (!locked) ring.unlock();
    return opened;
  });
  if (found == nullptr) return false;
  emit_taken(lane, *found, {.opened = 1}, nullptr);
  return true;
}

}  // namespace refrain::record
