// Writes a part from inside the application. Holds no descriptor open between calls: an application may
// close every descriptor it did not open, and must see the same descriptor numbers as without us.
#pragma once

#include <cstdint>
#include <span>

#include "part/part_layout.hpp"

namespace refrain::record {

class PartWriter {
 public:
  /// Makes the file with its header and journal mapped; 0 or an errno.
  int create(const char* path, std::span<const uint8_t> process_info);
  /// Lets go of the mappings without writing: what a forked child does with its parent's part.
  void abandon();
  /// Waits until what is mapped has reached the file system's server: only then do other hosts see it.
  void sync();
  bool open() const { return header_ != nullptr; }

  PartHeader& header() { return *header_; }
  uint8_t* journal() { return journal_; }
  size_t capacity() const { return capacity_; }

  /// Makes the first `used` bytes of the journal count.
  void commit(size_t used) { header_->commit.store(epoch_ << 32 | used, std::memory_order_release); }

  /// Writes a state; on success it is the live one (or closed for good), the journal is empty and has at
  /// least `journal_bytes` if that many could be had. On failure (an errno) nothing has changed.
  int save(std::span<const uint8_t> state, bool close, size_t journal_bytes);
  /// From now on states of up to `state_bytes` are saved without system calls, as long as none is closed.
  int settle(size_t state_bytes);
  const char* path() const { return path_; }
  /// The closed segments are offered to `world`.
  void offer(uint64_t world) {
    header_->world.store(world, std::memory_order_relaxed);
    header_->offered.store(anchor_.closed, std::memory_order_release);
  }
  /// Closes the live state that is on disk; what came after it is dropped by the caller.
  void close_live();

 private:
  struct Place {
    uint64_t offset = 0;
    uint64_t capacity = 0;
    uint8_t* memory = nullptr;  ///< where it is mapped, if it is
  };
  int write_segment(int fd, uint64_t offset, std::span<const uint8_t> payload, uint64_t previous);
  void advance(Anchor next);
  void put_segment(const Place& place, std::span<const uint8_t> payload);
  uint8_t* map_journal(int fd, uint64_t offset, size_t bytes);

  // Read for every event.
  PartHeader* header_ = nullptr;
  uint8_t* journal_ = nullptr;
  size_t capacity_ = 0;
  uint64_t epoch_ = 0;

  uint64_t end_ = 0;  ///< first unused byte of the file
  Anchor anchor_;     ///< the one in force
  Place places_[2];   ///< for live states, used in turn
  int live_place_ = 0;
  char path_[512] = {};
};

}  // namespace refrain::record
