// Memory of the recorder. It must not come from the application's malloc: a call may be recorded inside a
// signal handler that interrupted malloc, or inside malloc itself. Each lane owns an arena that only the
// lane's thread uses, so there are no locks that a fork could leave taken.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refrain::record {

class Arena {
 public:
  /// 16-byte aligned; nullptr when the system has no memory left.
  void* allocate(size_t size);
  /// `block` came from any arena of this process's own thread of execution.
  void release(void* block);
  /// Maps so much at once that `size` more bytes need no system call; false if there isn't as much.
  bool reserve(size_t size) { return static_cast<size_t>(end_ - at_) >= size || refill(size); }
  size_t mapped() const { return mapped_; }
  /// Gives everything back at once; only for arenas whose objects are no longer used.
  void unmap_all();

 private:
  static constexpr int class_count = 48;
  struct Block {
    uint64_t size_class;
    Block* next;
  };
  struct Chunk {
    Chunk* next;
    size_t size;
  };
  bool refill(size_t size);

  Block* free_[class_count] = {};
  Chunk* chunks_ = nullptr;
  char* at_ = nullptr;
  char* end_ = nullptr;
  size_t mapped_ = 0;
};

/// The arena behind `new` on this thread while the recorder works for a lane.
extern constinit thread_local Arena* current_arena;
/// Returns the previous one.
inline Arena* use_arena(Arena* arena) {
  Arena* previous = current_arena;
  current_arena = arena;
  return previous;
}

}  // namespace refrain::record
