// Size classes, two per power of two, carved from chunks that are mapped from the system. The library's
// own `operator new` draws from the current arena; the symbols stay inside the library.
#include "record/arena.hpp"

#include <atomic>
#include <bit>
#include <new>

#include "part/raw.hpp"

namespace refrain::record {
namespace {

constexpr size_t block_head_bytes = 16;
constexpr size_t first_chunk = 64 << 10;
constexpr size_t largest_chunk = 1 << 20;

/// Class 2b holds 16·2^b bytes, class 2b+1 holds 24·2^b.
int class_of(size_t size) {
  if (size <= 16) return 0;
  size_t units = (size + 15) / 16;  // > 1
  int b = static_cast<int>(std::bit_width(units - 1)) - 1;
  return units <= (size_t{3} << b) / 2 && b > 0 ? 2 * b + 1 : 2 * b + 2;
}
size_t size_of(int size_class) { return (size_class & 1 ? size_t{24} : size_t{16}) << (size_class / 2); }

}  // namespace

constinit thread_local Arena* current_arena = nullptr;

bool Arena::refill(size_t size) {
  size_t grown = mapped_ < first_chunk ? first_chunk : mapped_ < largest_chunk ? mapped_ : largest_chunk;
  if (grown < size + sizeof(Chunk)) grown = (size + sizeof(Chunk) + 4095) & ~size_t{4095};
  void* memory = raw::map_memory(grown);
  if (memory == nullptr) return false;
  auto* chunk = static_cast<Chunk*>(memory);
  chunk->next = chunks_;
  chunk->size = grown;
  chunks_ = chunk;
  mapped_ += grown;
  at_ = static_cast<char*>(memory) + sizeof(Chunk);
  end_ = static_cast<char*>(memory) + grown;
  return true;
}

void* Arena::allocate(size_t size) {
  int c = class_of(size);
  if (c >= class_count) return nullptr;
  if (Block* block = free_[c]) {
    free_[c] = block->next;
    return reinterpret_cast<char*>(block) + block_head_bytes;
  }
  size_t whole = size_of(c) + block_head_bytes;
  if (static_cast<size_t>(end_ - at_) < whole && !refill(whole)) return nullptr;
  auto* block = reinterpret_cast<Block*>(at_);
  at_ += whole;
  block->size_class = static_cast<uint64_t>(c);
  return reinterpret_cast<char*>(block) + block_head_bytes;
}

void Arena::release(void* memory) {
  if (memory == nullptr) return;
  auto* block = reinterpret_cast<Block*>(static_cast<char*>(memory) - block_head_bytes);
  block->next = free_[block->size_class];
  free_[block->size_class] = block;
}

void Arena::unmap_all() {
  for (Chunk* chunk = chunks_; chunk != nullptr;) {
    Chunk* next = chunk->next;
    raw::unmap(chunk, chunk->size);
    chunk = next;
  }
  *this = Arena();
}

}  // namespace refrain::record

#ifdef REFRAIN_OWN_NEW
namespace refrain::record {
namespace {

// For allocations outside any lane (start-up): rare, hence one lock.
Arena shared_arena;
std::atomic_flag shared_lock = ATOMIC_FLAG_INIT;

void* take(size_t size) {
  void* memory;
  if (current_arena != nullptr) {
    memory = current_arena->allocate(size);
  } else {
    while (shared_lock.test_and_set(std::memory_order_acquire)) {
    }
    memory = shared_arena.allocate(size);
    shared_lock.clear(std::memory_order_release);
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give(void* memory) noexcept {
  if (current_arena != nullptr) return current_arena->release(memory);
  while (shared_lock.test_and_set(std::memory_order_acquire)) {
  }
  shared_arena.release(memory);
  shared_lock.clear(std::memory_order_release);
}

}  // namespace
}  // namespace refrain::record

void* operator new(size_t size) { return refrain::record::take(size); }
void* operator new[](size_t size) { return refrain::record::take(size); }
void operator delete(void* memory) noexcept { refrain::record::give(memory); }
void operator delete[](void* memory) noexcept { refrain::record::give(memory); }
void operator delete(void* memory, size_t) noexcept { refrain::record::give(memory); }
void operator delete[](void* memory, size_t) noexcept { refrain::record::give(memory); }
#endif
