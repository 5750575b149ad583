// Handles and their slots. A trace must not depend on the numbers and addresses a run happens to get, so
// every handle is renamed, when it is created, to the lowest number free among those of the creating lane,
// and freed when it is closed: a loop that opens, writes and closes repeats exactly.
//
// The tables are shared by all threads and take no locks, so that neither a signal nor a fork can find one
// taken. What most programs need is there from the start; more is mapped when it is needed, for address space
// may be limited.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "api/handle_class.hpp"
#include "base/hash.hpp"

namespace refrain::record {

using api::HandleClass;

/// Where a handle stands: unknown (never seen), ignored (not recorded), tracked as a slot of a lane, or
/// predefined by its library, whose own table of names `slot` then counts in.
class Handle {
 public:
  enum class State : uint8_t { unknown, ignored, tracked, predefined };
  constexpr Handle() = default;
  constexpr Handle(State state, HandleClass handle_class, uint16_t lane, uint32_t slot)
      : word_(static_cast<uint64_t>(state) | static_cast<uint64_t>(handle_class) << 8 | uint64_t{lane} << 16 |
              uint64_t{slot} << 32) {}
  static Handle ignored() { return {State::ignored, HandleClass::fd, 0, 0}; }

  State state() const { return static_cast<State>(word_ & 0xff); }
  HandleClass handle_class() const { return static_cast<HandleClass>(word_ >> 8 & 0xff); }
  uint16_t lane() const { return static_cast<uint16_t>(word_ >> 16); }
  uint32_t slot() const { return static_cast<uint32_t>(word_ >> 32); }
  bool tracked() const { return state() == State::tracked; }
  bool predefined() const { return state() == State::predefined; }

  /// As one word, which is how it is kept in the tables.
  uint64_t pack() const { return word_; }
  static Handle unpack(uint64_t word) {
    Handle handle;
    handle.word_ = word;
    return handle;
  }

 private:
  // One word rather than four fields: written field by field, it could not be read as a whole soon after.
  uint64_t word_ = 0;
};

/// Who may look at a table meanwhile. Nobody does while the process has one thread whose signals wait: then
/// it takes no exchange that is atomic for all processors, each of which waits for all that was stored
/// before.
enum class Others : bool { none, some };

/// What a word held before; now it holds `value`.
inline uint64_t exchange(std::atomic<uint64_t>& word, uint64_t value, Others others) {
  if (others == Others::some) return word.exchange(value, std::memory_order_relaxed);
  uint64_t before = word.load(std::memory_order_relaxed);
  word.store(value, std::memory_order_relaxed);
  return before;
}

/// The free slots of one lane and class. Any thread may release; the lane's own thread takes.
class SlotPool {
 public:
  static constexpr uint32_t words = 256;
  uint32_t take() { return take_from(0); }
  /// The lowest that is free from `first` on, a multiple of 64.
  uint32_t take_from(uint32_t first, Others others = Others::some);
  void release(uint32_t slot, Others others = Others::some) {
    if (slot >= words * 64) return;
    std::atomic<uint64_t>& word = used_[slot / 64];
    uint64_t kept = ~(uint64_t{1} << slot % 64);
    if (others == Others::some)
      word.fetch_and(kept, std::memory_order_relaxed);
    else
      word.store(word.load(std::memory_order_relaxed) & kept, std::memory_order_relaxed);
  }
  /// Takes one that was given before.
  void claim(uint32_t slot);
  void clear();

 private:
  std::atomic<uint64_t> used_[words] = {};
  std::atomic<uint32_t> beyond_{words * 64};  ///< numbers past the bitmap are not used twice
};

/// Descriptor number -> handle.
class DescriptorTable {
 public:
  Handle get(int fd) const {
    if (static_cast<unsigned>(fd) < page_size) [[likely]]
      return Handle::unpack(first_[fd].load(std::memory_order_relaxed));
    return get_far(fd);
  }
  void set(int fd, Handle handle);
  /// Marks the descriptor unknown and returns what it was.
  Handle take(int fd, Others others = Others::some) { return exchange(fd, Handle(), others); }
  Handle exchange(int fd, Handle handle, Others others = Others::some) {
    if (static_cast<unsigned>(fd) < page_size) [[likely]]
      return Handle::unpack(record::exchange(first_[fd], handle.pack(), others));
    return exchange_far(fd, handle);
  }
  void clear();
  static constexpr int limit = 1 << 20;

 private:
  static constexpr int page_bits = 10;
  static constexpr unsigned page_size = 1u << page_bits;
  using Page = std::atomic<uint64_t>[page_size];
  Handle get_far(int fd) const;
  Handle exchange_far(int fd, Handle handle);
  std::atomic<uint64_t>* cell(int fd, bool make);
  Page first_ = {};  ///< most programs need no other
  std::atomic<Page*> pages_[limit >> page_bits] = {};
};

/// Address or identifier (stream, directory stream, request, MPI handle, HDF5 identifier; never 0) -> handle.
/// Buckets of eight; what finds its bucket full goes to a larger table, there to the first one that isn't.
/// Identifiers that are never used twice (HDF5 counts on) leave nothing behind.
class AddressTable {
 public:
  Handle get(uint64_t key) const;
  Handle get(const void* address) const { return get(reinterpret_cast<uint64_t>(address)); }
  /// The handle, and a word for what its layer knows about it: 0 when the key is new.
  struct Place {
    Handle handle;
    std::atomic<uint64_t>* fact = nullptr;
  };
  [[gnu::always_inline]] Place look(uint64_t key) const {
    // Not ordered before the handle: set() claims the key first. An acquiring load would wait for the last
    // event's commit.
    Cell& first = near_[start(key, near_bits)].cells[0];
    if (key != 0 && first.key.load(std::memory_order_relaxed) == key) [[likely]]
      return {Handle::unpack(first.value.load(std::memory_order_relaxed)), &first.fact};
    return look_further(key);
  }
  /// False when the table is full.
  bool set(uint64_t key, Handle handle);
  bool set(const void* address, Handle handle) { return set(reinterpret_cast<uint64_t>(address), handle); }
  Handle take(uint64_t key);
  Handle take(const void* address) { return take(reinterpret_cast<uint64_t>(address)); }
  /// Calls `visit(key, handle)` for all there are; it may take them.
  template <class Visit>
  void for_each(Visit visit) {
    auto visit_bucket = [&](Bucket& bucket) {
      for (Cell& cell : bucket.cells)
        if (uint64_t key = cell.key.load(std::memory_order_acquire); key != 0)
          visit(key, Handle::unpack(cell.value.load(std::memory_order_relaxed)));
    };
    for (Bucket& bucket : near_) visit_bucket(bucket);
    Bucket* far = far_.load(std::memory_order_acquire);
    for (size_t i = 0; far != nullptr && i < far_buckets; ++i) visit_bucket(far[i]);
  }
  /// Only while no other thread uses it.
  void clear();

 private:
  static constexpr int near_bits = 9, far_bits = 13;
  static constexpr size_t near_buckets = size_t{1} << near_bits, far_buckets = size_t{1} << far_bits;
  static constexpr size_t width = 8;
  /// What belongs together lies in one line of the cache.
  struct Cell {
    std::atomic<uint64_t> key;  ///< 0: free
    std::atomic<uint64_t> value;
    std::atomic<uint64_t> fact;
  };
  struct alignas(64) Bucket {
    Cell cells[width];
    std::atomic<uint32_t> overflowed;  ///< some key of this bucket may be in a later one, or far
    /// nullptr if it isn't here.
    Cell* find(uint64_t key);
    /// False if the bucket is full.
    bool add(uint64_t key, Handle handle);
    void clear();
  };
  static size_t start(uint64_t key, int bits) { return key * 0x9e3779b97f4a7c15ULL >> (64 - bits); }
  /// Maps it first if need be; nullptr if there is no memory.
  Bucket* far_table();
  Place look_further(uint64_t key) const;
  /// Cells that were found behind others, by key: where each is looked for first.
  static constexpr int recent_bits = 5;
  mutable std::atomic<Cell*> recent_[size_t{1} << recent_bits] = {};
  /// nullptr if there is none.
  Cell* find(uint64_t key) const;
  mutable Bucket near_[near_buckets] = {};
  std::atomic<Bucket*> far_{nullptr};
};

/// File mappings by address range. Few and rarely changed, hence a plain list that is claimed cell by cell.
class MapTable {
 public:
  struct Place {
    Handle handle;
    uint64_t offset = 0;  ///< of the address inside the mapping
  };
  bool add(const void* address, size_t length, Handle handle);
  Place find(const void* address) const;
  /// Forgets the mapping that starts in the range; returns its handle.
  Handle remove(const void* address, size_t length);
  void clear();

 private:
  static constexpr size_t size = 1024;
  struct Cell {
    std::atomic<uint64_t> start;  ///< 0: free
    std::atomic<uint64_t> length;
    std::atomic<uint64_t> handle;
  };
  Cell cells_[size] = {};
  std::atomic<size_t> used_{0};
};

}  // namespace refrain::record
