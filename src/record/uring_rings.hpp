// The rings of io_uring that a program has, and what the recorder remembers of each: which entries it has
// seen, which completions the program has taken, which files are being opened, which are registered. Rings
// are known by where their entries lie: programs may move the structure that liburing fills in.
//
// Completions are read from memory that the ring shares with the system. They stay there, behind those that
// the program has taken, until others take their place; what was overwritten before it was seen is not known.
#pragma once

#include <linux/io_uring.h>
#include <stddef.h>

#include <atomic>
#include <cstdint>

#include "part/filter.hpp"
#include "record/recorder.hpp"

namespace refrain::record {

#include "api/uring/user_ring.h"

class RecordedRing {
 public:
  /// An entry that was submitted and whose completion the program has not taken yet.
  struct InFlight {
    uint64_t user_data;
    Handle opens;  ///< the slot that the file gets, if the entry opens one that is recorded
    Filter::Verdict verdict;
  };
  struct RegisteredFile {
    int fd;
    Handle handle;
  };
  /// Completions that the program has taken since they were asked for last.
  struct Taken {
    uint32_t completions = 0, opened = 0, failed = 0;
    uint64_t waited_ticks = 0;
    bool any() const { return completions != 0 || opened != 0; }
  };
  static constexpr uint32_t most_in_flight = 512, most_files = 1024;

  Handle handle() const { return handle_; }
  /// Becomes the ring `io`, which has the slot `handle`.
  void begin(const io_uring& io, Handle handle);
  /// Forgets the ring.
  void end();
  /// The same in a child, where slots and locks of its parent mean nothing.
  void abandon();

  /// Calls `see(entry)` for each entry since the last time; returns how many there were.
  template <class See>
  uint32_t entries(const io_uring& io, See see) {
    uint32_t tail = io.sq.sqe_tail, count = tail - entries_seen_;
    if (count > *io.sq.kring_entries) count = *io.sq.kring_entries;
    constexpr uint32_t wide_entries = 1u << 10;  // IORING_SETUP_SQE128
    for (uint32_t i = tail - count; i != tail; ++i)
      see(io.sq.sqes[(i & *io.sq.kring_mask) << ((io.flags & wide_entries) != 0)]);
    entries_seen_ = tail;
    return count;
  }
  void note(const InFlight& entry);
  Taken take(const io_uring& io);
  /// Whether a file that is being opened has this descriptor now, going by completions that have come.
  bool has_opened(int fd);
  bool is_opening() const { return opening_ != 0; }

  void set_files(uint32_t first, const int* files, uint32_t count);
  void forget_files() { file_count_ = 0; }
  void set_buffers(uint32_t count) { buffer_count_ = count; }
  bool has_buffer(uint32_t place) const { return place < buffer_count_; }
  const RegisteredFile* file(uint32_t place) const { return place < file_count_ ? &files_[place] : nullptr; }

  void add_wait(uint64_t ticks) { waited_ticks_.fetch_add(ticks, std::memory_order_relaxed); }
  bool is(const io_uring& io) const { return entries_.load(std::memory_order_acquire) == io.sq.sqes; }
  bool is_free() const { return entries_.load(std::memory_order_acquire) == nullptr; }

  /// One thread at a time: others leave the ring alone.
  bool lock(const Lane& lane);
  void unlock() { owner_.store(0, std::memory_order_release); }
  bool is_locked_by(const Lane& lane) const {
    return owner_.load(std::memory_order_relaxed) == lane.number() + 1u;
  }

 private:
  bool complete(const io_uring_cqe& completion);
  const io_uring_cqe& completion(uint32_t number) const;

  std::atomic<const void*> entries_{nullptr};
  std::atomic<uint32_t> owner_{0};  ///< number of a lane, and 1
  std::atomic<uint64_t> waited_ticks_{0};
  std::atomic<uint32_t> opening_{0};
  io_uring_cq completions_{};
  bool wide_completions_ = false;
  Handle handle_;
  uint32_t entries_seen_ = 0, taken_ = 0;
  uint32_t in_flight_count_ = 0;
  uint32_t unknown_ = 0;  ///< in flight beyond those that are listed
  uint32_t file_count_ = 0, buffer_count_ = 0;
  InFlight in_flight_[most_in_flight];
  RegisteredFile files_[most_files];
};

bool knows_ring(const io_uring& io);
/// How many rings there are whose entries are seen.
uint64_t known_rings();
/// The ring, locked for the lane; nullptr if it isn't known, or in use by another thread.
RecordedRing* find_ring(const Lane& lane, const io_uring& io);
/// The same for a ring that was never seen. Gives it a slot of the lane. Nullptr if there are too many.
RecordedRing* add_ring(Lane& lane, const io_uring& io);

/// Adds what the ring's completions say, as an event; see uring_entries.cpp.
void emit_taken(Lane& lane, const RecordedRing& ring, const RecordedRing::Taken& taken, const void* site);

/// Whether a ring has opened this descriptor, which is not known yet. If so it has its slot afterwards.
bool opened_by_ring(Lane& lane, int fd);

}  // namespace refrain::record
